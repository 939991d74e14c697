package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** One of Hadoop's programs in a JVM of its own, with the cluster as its file system. */
public final class HadoopTool {
  private static final Duration LIMIT = Duration.ofMinutes(2);

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
    return run(
        new Site(folder.resolve("conf"), List.of(), Map.of()), log, limit, mainClass, arguments);
  }

  /**
   * What a program goes by.
   *
   * @param folder with core-site.xml and hdfs-site.xml
   * @param options further ones of the JVM
   * @param environment further variables
   */
  public record Site(Path folder, List<String> options, Map<String, String> environment) {}

  /** The same with settings, options and variables of one's own. */
  public static NameNodeProcess.Exit run(
      Site site, Path log, Duration limit, Class<?> mainClass, String... arguments)
      throws IOException, InterruptedException {
    List<String> classPath =
        List.of(site.folder().toString(), System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(List.of(mainClass.getName()));
    command.addAll(List.of(arguments));
    List<String> options = new ArrayList<>(options());
    options.addAll(site.options());
    JavaProcess process = JavaProcess.start(options, classPath, command, site.environment(), log);
    try {
      return new NameNodeProcess.Exit(process.awaitExit(limit), Files.readString(log));
    } finally {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  /**
   * Runs commands of {@link HadoopCommands} in one JVM; each has to succeed.
   *
   * @param conf the folder with core-site.xml and hdfs-site.xml
   * @return what each prints
   */
  public static List<String> runAll(Path conf, Path log, String... commands)
      throws IOException, InterruptedException {
    NameNodeProcess.Exit exit =
        run(new Site(conf, List.of(), Map.of()), log, LIMIT, HadoopCommands.class, commands);
    List<String> texts = new ArrayList<>();
    for (SecureCluster.Answer answer : SecureCluster.answers(exit, commands)) {
      if (answer.code() != 0) {
        throw new AssertionError(answer.toString());
      }
      texts.add(answer.text());
    }
    return texts;
  }

  private static List<String> options() {
    return List.of(
        "-Xmx512m",
        "-Djava.net.preferIPv4Stack=true",
        "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
        "-Dacacia.log.console=INFO");
  }
}
