package io.acaciafs.kv.testkit.disk;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** C sources among the tests' resources, compiled for {@code LD_PRELOAD}. Stateless. */
public final class PreloadedLibrary {
  private static final long LONGEST_COMPILATION_S = 120;

  private PreloadedLibrary() {}

  /** Whether this system has a compiler, and the file system by which libraries tell files. */
  public static boolean isPossible() {
    return new File("/proc/self/fd").exists() && compiler() != null;
  }

  private static String compiler() {
    for (String name : List.of("cc", "gcc", "clang")) {
      for (String where : System.getenv("PATH").split(File.pathSeparator)) {
        if (Files.isExecutable(Path.of(where, name))) {
          return name;
        }
      }
    }
    return null;
  }

  /**
   * The library.
   *
   * @param name of the resource, without its ending
   * @param scratch for the library
   */
  public static Path compile(String name, Path scratch) throws IOException, InterruptedException {
    return compile(name, scratch, List.of());
  }

  /** The same with further options for the compiler. */
  public static Path compile(String name, Path scratch, List<String> options)
      throws IOException, InterruptedException {
    Path library = scratch.resolve(name + ".so");
    Path source = scratch.resolve(name + ".c");
    try (InputStream text = PreloadedLibrary.class.getResourceAsStream("/" + name + ".c")) {
      Files.copy(text, source, StandardCopyOption.REPLACE_EXISTING);
    }
    List<String> command = new ArrayList<>(List.of(compiler(), "-shared", "-fPIC", "-O1"));
    command.addAll(options);
    command.addAll(List.of("-o", library.toString(), source.toString(), "-ldl", "-lpthread"));
    Process compile = new ProcessBuilder(command).inheritIO().start();
    if (!compile.waitFor(LONGEST_COMPILATION_S, TimeUnit.SECONDS) || compile.exitValue() != 0) {
      throw new IOException(name + ".c is not compiled");
    }
    return library;
  }
}
