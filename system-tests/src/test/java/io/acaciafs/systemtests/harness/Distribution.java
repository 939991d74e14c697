package io.acaciafs.systemtests.harness;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;

/** The folder that {@code bin/dist} makes, of the same jars as {@code bin/acacia dist}. */
public final class Distribution {
  private static final Path HOME = Path.of(System.getProperty("acacia.home"));

  private Distribution() {}

  /** Makes it in this folder, which must not be there yet. */
  public static void make(Path folder) throws IOException, InterruptedException {
    Path output = folder.resolveSibling(folder.getFileName() + ".txt");
    Process process =
        new ProcessBuilder(HOME.resolve("bin/dist").toString(), classPath(), folder.toString())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    if (process.waitFor() != 0) {
      throw new IOException(Files.readString(output));
    }
  }

  /** As the build of the module tools has written it; its own jar is first. */
  private static String classPath() throws IOException {
    Path built = HOME.resolve("tools/target");
    try (DirectoryStream<Path> jars = Files.newDirectoryStream(built, "acacia-tools-*.jar")) {
      Iterator<Path> jar = jars.iterator();
      return jar.next() + File.pathSeparator + Files.readString(built.resolve("classpath")).strip();
    }
  }
}
