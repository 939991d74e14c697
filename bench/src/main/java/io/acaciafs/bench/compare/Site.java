package io.acaciafs.bench.compare;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;

/**
 * A folder with the configuration of a NameNode and all its files.
 *
 * @param address that it is configured to serve
 * @param options of its JVM
 * @param launcher a command that becomes the JVM, such as one that chooses its processor; or empty
 */
public record Site(
    Contestant contestant,
    Path folder,
    InetSocketAddress address,
    List<String> options,
    List<String> launcher) {
  /**
   * As installed, but for the audit log, which is off: only one of the two has it. Errors go to the
   * output as well, of which the end is shown where a program fails.
   */
  private static final String LOGGING =
      """
      log4j.rootLogger=INFO, file, errors
      log4j.appender.errors=org.apache.log4j.ConsoleAppender
      log4j.appender.errors.Threshold=ERROR
      log4j.appender.errors.layout=org.apache.log4j.PatternLayout
      log4j.appender.errors.layout.ConversionPattern=%%m%%n
      log4j.appender.file=org.apache.log4j.RollingFileAppender
      log4j.appender.file.File=%s
      log4j.appender.file.MaxFileSize=64MB
      log4j.appender.file.MaxBackupIndex=1
      log4j.appender.file.layout=org.apache.log4j.PatternLayout
      log4j.appender.file.layout.ConversionPattern=%%d{ISO8601} %%-5p [%%t] %%c - %%m%%n
      log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=OFF
      """;

  /**
   * DataNodes that were loaded send no heartbeats. They are not to be lost while something is
   * measured, which would be the repair of all blocks.
   */
  private static final String LOADED_DATANODES_LIVE_MS =
      Long.toString(Duration.ofDays(1).toMillis());

  /**
   * Writes a configuration.
   *
   * @param folder for all files; made, and to be removed by the caller
   * @param settings beside those that every benchmark needs
   */
  public static Site create(
      Contestant contestant, Path folder, List<String> options, Map<String, String> settings)
      throws IOException {
    return create(contestant, folder, Listening.freeAddress(), options, settings);
  }

  /**
   * The same for an address that was chosen before.
   *
   * @param settings beside those that every benchmark needs, or in place of them
   */
  public static Site create(
      Contestant contestant,
      Path folder,
      InetSocketAddress address,
      List<String> options,
      Map<String, String> settings)
      throws IOException {
    Site site = new Site(contestant, folder, address, options, List.of());
    // Hadoop's do not start without the folders of their web applications, which no jar has.
    for (String program : List.of("hdfs", "journal")) {
      Files.createDirectories(site.conf().resolve("webapps").resolve(program));
    }
    Files.writeString(
        site.conf().resolve("log4j.properties"), LOGGING.formatted(folder.resolve("namenode.log")));
    Configuration conf = site.configuration();
    settings.forEach(conf::set);
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(site.conf().resolve(file))) {
        conf.writeXml(out);
      }
    }
    return site;
  }

  /** The same, whose programs are started by another command. */
  Site behind(List<String> command) {
    return new Site(contestant, folder, address, options, List.copyOf(command));
  }

  private Path conf() {
    return folder.resolve("conf");
  }

  /** Where the namespace is. */
  public Path names() {
    return folder.resolve("name");
  }

  private Configuration configuration() {
    String authority = "127.0.0.1:" + address.getPort();
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://" + authority);
    conf.set("dfs.namenode.rpc-address", authority);
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("dfs.namenode.name.dir", names().toUri().toString());
    conf.set("dfs.namenode.safemode.extension", "0");
    conf.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    conf.set("dfs.replication", "3");
    conf.set("dfs.namenode.heartbeat.recheck-interval", LOADED_DATANODES_LIVE_MS);
    return conf;
  }

  /** Starts a command of the NameNode's program, which finds this configuration. */
  public JavaProgram start(List<String> arguments, String output) throws IOException {
    return JavaProgram.start(
        launcher, conf(), options, contestant.mainClass(), arguments, folder.resolve(output));
  }

  /** Starts a command of Acacia's program, on a JVM of its own size. */
  JavaProgram client(List<String> arguments, String output) throws IOException {
    return JavaProgram.start(
        launcher,
        conf(),
        List.of("-Xmx256m"),
        Contestant.ACACIA.mainClass(),
        arguments,
        folder.resolve(output));
  }

  /** Starts another program with this configuration, on a small JVM. */
  public JavaProgram startOther(String mainClass, List<String> arguments, String output)
      throws IOException {
    return JavaProgram.start(
        conf(), List.of("-Xmx256m"), mainClass, arguments, folder.resolve(output));
  }

  /** Runs another program with this configuration, on a JVM of its own size, to its end. */
  void runClient(String mainClass, List<String> arguments, String output, Duration limit)
      throws IOException {
    try (JavaProgram client =
        JavaProgram.start(conf(), List.of(), mainClass, arguments, folder.resolve(output))) {
      client.awaitSuccess(limit);
    }
  }

  /** Runs a command to its end. */
  public void run(List<String> arguments, String output, Duration limit) throws IOException {
    try (JavaProgram command = start(arguments, output)) {
      command.awaitSuccess(limit);
    }
  }
}
