package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** One of Hadoop's programs in a JVM of its own, with the cluster as its file system. */
public final class HadoopTool {
  private HadoopTool() {}

  /**
   * Runs it to its end.
   *
   * @return its exit code, and all that it has printed
   * @throws AssertionError when it has not ended in time; then it is killed
   */
  public static NameNodeProcess.Exit run(
      Cluster cluster, Duration limit, Class<?> mainClass, String... arguments)
      throws IOException, InterruptedException {
    Path folder = cluster.nameFolder().getParent();
    Path log = Files.createTempFile(folder, mainClass.getSimpleName(), ".log");
    List<String> classPath =
        List.of(folder.resolve("conf").toString(), System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(List.of(mainClass.getName()));
    command.addAll(List.of(arguments));
    JavaProcess process = JavaProcess.start(options(), classPath, command, log);
    try {
      return new NameNodeProcess.Exit(process.awaitExit(limit), Files.readString(log));
    } finally {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  private static List<String> options() {
    return List.of(
        "-Xmx512m",
        "-Djava.net.preferIPv4Stack=true",
        "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
        "-Dacacia.log.console=INFO");
  }
}
