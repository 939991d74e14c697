package io.acaciafs.kv.hbase.local;

import io.acaciafs.hbase.protocol.RegionService;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * The processes of one local HBase, ended in the opposite order. Used by one thread at a time, but
 * for the close, which any thread may do.
 */
final class LocalProcesses implements AutoCloseable {
  private final Path logs;
  private final Path configuration;
  private final String classPath;
  private final List<String> jvmOptions;
  private final Deque<ChildJvm> running = new ConcurrentLinkedDeque<>();
  private boolean closed;

  /**
   * @param jvmOptions of all of them
   */
  LocalProcesses(Path folder, Path classPathFile, List<String> jvmOptions) throws IOException {
    this.jvmOptions = jvmOptions;
    if (!Files.isReadable(classPathFile)) {
      throw new IOException(
          "The class path of HBase is not there yet ("
              + classPathFile
              + "): mvn -pl hbase-server process-resources writes it");
    }
    logs = Files.createDirectories(folder.resolve("log"));
    configuration = Files.createDirectories(folder.resolve("conf"));
    // HDFS's web servers look for these folders on the class path and are content when empty.
    Files.createDirectories(configuration.resolve("webapps/hdfs"));
    Files.createDirectories(configuration.resolve("webapps/datanode"));
    Files.writeString(configuration.resolve("log4j2.properties"), LOGGING);
    classPath =
        String.join(
            ":",
            configuration.toString(),
            coprocessor().toString(),
            Files.readString(classPathFile).strip());
  }

  /** The jar, or the folder of classes, of Acacia's coprocessor; tables need not use it. */
  private static Path coprocessor() {
    return Path.of(
        RegionService.class.getProtectionDomain().getCodeSource().getLocation().getPath());
  }

  private static final String LOGGING =
      """
      status = warn
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d{ISO8601} %-5p [%t] %c{2}: %m%n
      rootLogger.level = info
      rootLogger.appenderRef.console.ref = console
      logger.zookeeper.name = org.apache.zookeeper
      logger.zookeeper.level = warn
      """;

  Path configuration() {
    return configuration;
  }

  /** Starts a process that ends by itself. */
  ChildJvm run(String name, int heapMb, List<String> mainAndArgs) throws IOException {
    return ChildJvm.start(name, logs, classPath, options(heapMb), mainAndArgs);
  }

  /** Starts a process that runs until the close. */
  ChildJvm keep(String name, int heapMb, List<String> mainAndArgs) throws IOException {
    return keep(name, heapMb, List.of(), mainAndArgs);
  }

  /** The same, with further options of its JVM. */
  synchronized ChildJvm keep(
      String name, int heapMb, List<String> jvmOptions, List<String> mainAndArgs)
      throws IOException {
    if (closed) {
      throw new IOException("HBase was told to end");
    }
    List<String> all = options(heapMb);
    all.addAll(jvmOptions);
    ChildJvm process = ChildJvm.start(name, logs, classPath, all, mainAndArgs);
    running.push(process);
    return process;
  }

  /** Ends one with signal 9. */
  void kill(ChildJvm process) throws InterruptedException {
    process.kill();
    running.remove(process);
  }

  /** Waits so long, or until the first one ends. */
  void await(long millis) throws IOException, InterruptedException {
    ChildJvm last = running.peek();
    if (last == null) {
      throw new IOException("HBase was told to end");
    }
    last.await(millis);
    requireAlive();
  }

  /**
   * Checks that all of them run.
   *
   * @throws IOException when one has ended, with the end of its log
   */
  void requireAlive() throws IOException {
    for (ChildJvm process : running) {
      process.requireAlive();
    }
  }

  private List<String> options(int heapMb) {
    List<String> options = new ArrayList<>();
    for (String opened :
        List.of(
            "java.io",
            "java.nio",
            "sun.nio.ch",
            "java.lang",
            "jdk.internal.ref",
            "java.lang.reflect",
            "java.util",
            "java.util.concurrent")) {
      options.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
    }
    options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Dzookeeper.admin.enableServer=false");
    options.add("-Xmx" + heapMb + "m");
    options.add("-XX:+UseSerialGC");
    if (heapMb <= 256) { // no server of load, but one that is waited for
      options.add("-XX:TieredStopAtLevel=1");
    }
    options.addAll(jvmOptions);
    return options;
  }

  @Override
  public synchronized void close() {
    closed = true;
    running.forEach(ChildJvm::close);
    running.clear();
  }
}
