package io.acaciafs.tools.cluster;

import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.kv.hbase.local.HBaseJvm;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.Folders;
import io.acaciafs.tools.common.SiteFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/**
 * What each server is started with: its settings are written into {@code NAME/conf} anew at each
 * start of the cluster. Acacia's NameNodes and Hadoop's DataNodes have the class path of this JVM,
 * HBase and the Router have their own. For one thread.
 */
final class Servers {
  private static final List<String> OF_THE_ROUTER =
      List.of(
          "java.io",
          "java.lang",
          "java.lang.reflect",
          "java.math",
          "java.net",
          "java.text",
          "java.util",
          "java.util.concurrent",
          "java.util.zip",
          "sun.security.util",
          "sun.security.x509");

  private static final String LOGGING =
      """
      log4j.rootLogger=INFO, console
      log4j.appender.console=org.apache.log4j.ConsoleAppender
      log4j.appender.console.layout=org.apache.log4j.PatternLayout
      log4j.appender.console.layout.ConversionPattern=%d{ISO8601} %-5p [%t] %c{1} - %m%n
      """;

  /** All share a machine, and start at once: the second compiler would cost more than it gives. */
  private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

  private static final String ROUTER = "org.apache.hadoop.hdfs.server.federation.router.DFSRouter";
  private static final String ROUTER_ADMIN = "org.apache.hadoop.hdfs.tools.federation.RouterAdmin";

  private final Path folder;
  private final ServerCounts counts;
  private final Sites sites;
  private final HBaseJvm hbase;
  private final String routerClassPath;

  Servers(Path folder, ServerCounts counts, Sites sites, HBaseJvm hbase, String routerClassPath) {
    this.folder = folder;
    this.counts = counts;
    this.sites = sites;
    this.hbase = hbase;
    this.routerClassPath = routerClassPath;
  }

  /** All of them, in the order in which docs/deploy-hbase.md starts them. */
  List<Server> inOrder() throws IOException, CommandFailure {
    List<Server> all = new ArrayList<>();
    for (ServerKind kind : ServerKind.values()) {
      for (int i = 0; i < counts.of(kind); i++) {
        all.add(make(kind, i));
      }
    }
    return all;
  }

  private Server make(ServerKind kind, int index) throws IOException, CommandFailure {
    String name = kind.name(index);
    Folders.create(folder.resolve(name));
    Path conf = Folders.create(folder.resolve(name).resolve("conf"));
    return switch (kind) {
      case ZOOKEEPER -> zooKeeper(name, index, conf);
      case META_NAMENODE -> nameNode(kind, name, sites.metaNameNode(name), conf, 256);
      case NAMENODE -> nameNode(kind, name, sites.largeNameNode(name), conf, 384);
      case DATANODE -> dataNode(name, index, conf);
      case MASTER ->
          hbase(kind, name, conf, 256, "org.apache.hadoop.hbase.master.HMaster", "start");
      case REGION_SERVER ->
          hbase(
              kind, name, conf, 448, "org.apache.hadoop.hbase.regionserver.HRegionServer", "start");
      case ROUTER -> router(name, conf, ROUTER);
    };
  }

  private Server zooKeeper(String name, int index, Path conf) throws IOException, CommandFailure {
    Path data = Folders.create(folder.resolve(name).resolve("data"));
    Files.writeString(data.resolve("myid"), String.valueOf(index + 1));
    Path cfg = conf.resolve("zoo.cfg");
    Files.writeString(cfg, sites.zooKeeper(name));
    List<String> command = HBaseJvm.options(96);
    command.add("org.apache.zookeeper.server.quorum.QuorumPeerMain");
    command.add(cfg.toString());
    return server(ServerKind.ZOOKEEPER, name, hbase.classPath(conf), command);
  }

  private Server nameNode(ServerKind kind, String name, Configuration site, Path conf, int heapMb)
      throws IOException {
    SiteFiles.write(site, conf);
    List<String> command = hadoop(conf, name, heapMb);
    command.addAll(JavaProgram.sharedClasses());
    Path ready = readyFile(folder.resolve(name));
    command.addAll(List.of("io.acaciafs.tools.Acacia", "namenode", "--ready-file=" + ready));
    return server(kind, name, JavaProgram.classPath(conf), command);
  }

  /** What a NameNode in a folder writes when it has started. */
  static Path readyFile(Path serverFolder) {
    return serverFolder.resolve("ready");
  }

  private Server dataNode(String name, int index, Path conf) throws IOException {
    SiteFiles.write(sites.dataNode(name, index), conf);
    List<String> command = hadoop(conf, name, 160);
    command.add("org.apache.hadoop.hdfs.server.datanode.DataNode");
    return server(ServerKind.DATANODE, name, JavaProgram.classPath(conf), command);
  }

  private Server hbase(ServerKind kind, String name, Path conf, int heapMb, String... main)
      throws IOException {
    SiteFiles.write(sites.belowHBase(name), conf);
    SiteFiles.write(sites.hbase(name), conf, List.of("hbase-site.xml"));
    List<String> command = HBaseJvm.options(heapMb);
    command.add(QUICK_START);
    command.addAll(List.of(main));
    return server(kind, name, hbase.classPath(conf), command);
  }

  private Server router(String name, Path conf, String... main) throws IOException {
    SiteFiles.write(
        sites.router(name), conf, List.of("core-site.xml", "hdfs-site.xml", "hdfs-rbf-site.xml"));
    // Its pages are not published, and without a folder for them it does not start.
    Files.createDirectories(conf.resolve("webapps/router"));
    List<String> command = hadoop(conf, name, 160);
    OF_THE_ROUTER.forEach(each -> command.add("--add-opens=java.base/" + each + "=ALL-UNNAMED"));
    command.addAll(List.of(main));
    return server(ServerKind.ROUTER, name, conf + ":" + routerClassPath, command);
  }

  /** Shows HBase's files in the tree, to be read only. Ends by itself. */
  Server mount() throws IOException {
    String name = ServerKind.ROUTER.name(0);
    return router(
        name,
        folder.resolve(name).resolve("conf"),
        ROUTER_ADMIN,
        "-add",
        Sites.HBASE_ROOT,
        Sites.META,
        Sites.HBASE_ROOT,
        "-readonly");
  }

  private List<String> hadoop(Path conf, String name, int heapMb) throws IOException {
    Files.writeString(conf.resolve("log4j.properties"), LOGGING);
    List<String> options = new ArrayList<>();
    options.add("-Xmx" + heapMb + "m");
    options.add("-XX:+UseSerialGC");
    options.add(QUICK_START);
    options.add("-Djava.net.preferIPv4Stack=true");
    options.add("-Dlog4j.configuration=" + conf.resolve("log4j.properties").toUri());
    options.add("-Dhadoop.log.dir=" + folder.resolve(name));
    return options;
  }

  private Server server(ServerKind kind, String name, String classPath, List<String> command) {
    return new Server(kind, name, folder.resolve(name), classPath, command);
  }
}
