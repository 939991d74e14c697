package io.acaciafs.bench.compare;

import io.acaciafs.bench.datanode.PretendedDatanodes;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.namenode.ResourceStack;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** One NameNode in a process of its own, on a fresh folder, with DataNodes that are pretended. */
final class Server implements AutoCloseable {
  private static final Duration FORMAT_LIMIT = Duration.ofMinutes(2);
  private static final int DATANODES = 3;

  /** As installed, but for the audit log, which is off: only one of the two has it. */
  private static final String LOGGING =
      """
      log4j.rootLogger=INFO, file
      log4j.appender.file=org.apache.log4j.RollingFileAppender
      log4j.appender.file.File=%s
      log4j.appender.file.MaxFileSize=64MB
      log4j.appender.file.MaxBackupIndex=1
      log4j.appender.file.layout=org.apache.log4j.PatternLayout
      log4j.appender.file.layout.ConversionPattern=%%d{ISO8601} %%-5p [%%t] %%c - %%m%%n
      log4j.logger.org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit=OFF
      """;

  private final ResourceStack resources = new ResourceStack();
  private final InetSocketAddress address;
  private JavaProgram program;
  private PretendedDatanodes datanodes;

  private Server(InetSocketAddress address) {
    this.address = address;
  }

  /**
   * Formats and starts; serves when this returns.
   *
   * @param folder for all its files; made, and to be removed by the caller
   * @param options of the JVM, the same for both
   */
  static Server start(Contestant contestant, Path folder, List<String> options) throws IOException {
    InetSocketAddress address = Listening.freeAddress();
    Server server = new Server(address);
    try {
      server.start(contestant, folder, options, configuration(folder, address.getPort()));
      return server;
    } catch (IOException e) {
      throw server.resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw server.resources.closeAfter(e);
    }
  }

  private void start(Contestant contestant, Path folder, List<String> options, Configuration site)
      throws IOException {
    Path conf = Files.createDirectories(folder.resolve("conf"));
    // Hadoop's does not start without the folder of its web application, which no jar has.
    Files.createDirectories(conf.resolve("webapps/hdfs"));
    Files.writeString(
        conf.resolve("log4j.properties"), LOGGING.formatted(folder.resolve("namenode.log")));
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      try (OutputStream out = Files.newOutputStream(conf.resolve(file))) {
        site.writeXml(out);
      }
    }
    try (JavaProgram format =
        JavaProgram.start(
            conf, options, contestant.mainClass(), contestant.format(), folder.resolve("format"))) {
      format.awaitSuccess(FORMAT_LIMIT);
    }
    program =
        resources.add(
            JavaProgram.start(
                conf,
                options,
                contestant.mainClass(),
                contestant.serve(),
                folder.resolve("output")));
    Listening.await(address, program);
    datanodes = resources.add(PretendedDatanodes.start(address, DATANODES));
  }

  private static Configuration configuration(Path folder, int port) {
    Configuration conf = new Configuration(false);
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + port);
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:" + port);
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    conf.set("dfs.namenode.safemode.extension", "0");
    conf.set("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    conf.set("dfs.replication", "3");
    return conf;
  }

  InetSocketAddress address() {
    return address;
  }

  long pid() {
    return program.pid();
  }

  Replicas replicas() {
    return datanodes;
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
