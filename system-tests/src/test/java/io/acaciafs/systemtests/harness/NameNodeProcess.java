package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A NameNode in a process of its own: formats, serves, is killed, serves again on the same folder
 * and port. Its logs are {@code namenode-N.log}, one a start. Not thread-safe.
 */
public final class NameNodeProcess {
  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(2);

  private final NameNodeProgram program;
  private final Path folder;
  private final List<String> jvmOptions;
  private Map<String, String> environment = Map.of();
  private List<String> moreClasses = List.of();
  private JavaProcess process;
  private int starts;

  /**
   * Writes the configuration for the process.
   *
   * @param folder for logs and configuration; exists
   */
  public NameNodeProcess(NameNodeProgram program, Path folder, Configuration site)
      throws IOException {
    this(program, folder, site, List.of());
  }

  /** The same with further options for the JVM. */
  public NameNodeProcess(
      NameNodeProgram program, Path folder, Configuration site, List<String> jvmOptions)
      throws IOException {
    this.program = program;
    this.folder = folder;
    this.jvmOptions = List.copyOf(jvmOptions);
    configure(site);
  }

  /** Another program in the place of this one, which has ended. */
  NameNodeProcess replacedBy(NameNodeProgram other, Configuration site) throws IOException {
    NameNodeProcess next = new NameNodeProcess(other, folder, site, jvmOptions);
    next.starts = starts;
    next.moreClasses = moreClasses;
    return next;
  }

  /** Other settings from the next start on. */
  public void configure(Configuration site) throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf"));
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
  }

  /** Further variables in its environment, from the next start on. */
  void setEnvironment(Map<String, String> variables) {
    environment = Map.copyOf(variables);
  }

  /** Jars and folders behind its own class path, from the next start on. */
  void addClasses(List<String> entries) {
    moreClasses = List.copyOf(entries);
  }

  /** The result of a process that ended by itself. */
  public record Exit(int code, String output) {}

  /** Formats the folder and returns how that went. */
  public Exit format(String clusterId) throws IOException, InterruptedException {
    JavaProcess format = launch(program.formatArguments(clusterId));
    return new Exit(format.awaitExit(FORMAT_LIMIT), format.describe());
  }

  /** Runs another command of the program with the same configuration, to its end. */
  public Exit run(String... arguments) throws IOException, InterruptedException {
    JavaProcess command = launch(List.of(arguments));
    return new Exit(command.awaitExit(FORMAT_LIMIT), command.describe());
  }

  /** Starts to serve; returns before it is ready. */
  public void start() throws IOException {
    process = launch(program.serveArguments());
  }

  /** Waits for a process that does not serve but ends by itself. */
  public Exit awaitExit(Duration limit) throws InterruptedException {
    return new Exit(process.awaitExit(limit), process.describe());
  }

  /** How long processors have worked for it; grows in steps of the kernel's clock. */
  public Duration cpuTime() {
    return ProcessHandle.of(pid())
        .flatMap(handle -> handle.info().totalCpuDuration())
        .orElseThrow(() -> new IllegalStateException("The kernel does not tell"));
  }

  /** SIGTERM, and waits for the end. */
  public void terminate() throws InterruptedException {
    process.terminate();
  }

  /** SIGKILL, and waits for the end. */
  public void kill() throws InterruptedException {
    process.kill();
  }

  /** The process id of the latest start. */
  public long pid() {
    return process.pid();
  }

  /** Whether it was started and has not ended. */
  public boolean isAlive() {
    return process != null && process.isAlive();
  }

  /** The end of its log. */
  public String describe() {
    return process.describe();
  }

  /** All that it has logged since its latest start. */
  public List<String> log() throws IOException {
    return Files.readAllLines(log(starts));
  }

  private Path log(int start) {
    return folder.resolve("namenode-" + start + ".log");
  }

  private JavaProcess launch(List<String> arguments) throws IOException {
    starts++;
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xmx768m",
                "-Djava.net.preferIPv4Stack=true",
                "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
                "-Dacacia.log.console=INFO",
                "-Dhadoop.log.dir=.")); // as Hadoop's own scripts set one; metaSave writes there
    options.addAll(program.sharedClasses());
    options.addAll(jvmOptions);
    List<String> classPath = new ArrayList<>(program.classPath(folder.resolve("conf")));
    classPath.addAll(moreClasses);
    return JavaProcess.start(
        options, classPath, program.command(arguments), environment, log(starts));
  }
}
