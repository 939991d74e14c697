package io.acaciafs.tools.cluster;

import io.acaciafs.kv.hbase.local.ClusterProbe;
import io.acaciafs.kv.hbase.local.HBaseJvm;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.Await;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.FirstDirectories;
import io.acaciafs.tools.common.FolderLock;
import io.acaciafs.tools.common.SiteFiles;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;

/**
 * All servers of a large site, with all their state in one folder. A start in which nothing has to
 * be made starts every server and waits for none: each waits for what it needs, or ends and is
 * started again by the {@link Supervisor}. For one thread.
 */
final class FederatedCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(1);
  private static final long PAUSE_BETWEEN_PROBES_NS = TimeUnit.MILLISECONDS.toNanos(500);
  private static final long PAUSE_BETWEEN_STARTS_NS = TimeUnit.SECONDS.toNanos(3);

  private final ResourceStack resources = new ResourceStack();
  private final Path folder;
  private final ServerCounts counts;
  private final Choices choices;
  private final Sites sites;
  private final Servers servers;
  private final Consumer<String> steps;
  private final Supervisor supervisor;

  private FederatedCluster(
      Path folder,
      ServerCounts counts,
      HBaseJvm hbase,
      String routerClassPath,
      boolean inAnyOrder,
      Consumer<String> steps)
      throws Exception {
    this.folder = folder;
    this.counts = counts;
    this.steps = steps;
    try {
      resources.add(FolderLock.take(folder));
      choices = Choices.open(folder.resolve("choices"));
      sites = new Sites(folder, counts, choices);
      servers = new Servers(folder, counts, sites, hbase, routerClassPath);
      SiteFiles.write(sites.client(), confFolder());
      List<Server> all = servers.inOrder();
      supervisor = resources.add(Supervisor.start(folder, all));
      if (inAnyOrder) {
        startInAnyOrder(all);
      } else {
        for (Server server : all) {
          prepare(server);
          Files.deleteIfExists(Servers.readyFile(server.folder())); // of one that was killed
          supervisor.keep(server);
        }
      }
      awaitService();
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }

  /**
   * Starts all, and makes what is not there yet; returns when the tree is served.
   *
   * @param folder holds all state; the first start chooses the ports
   * @param routerClassPath of the Router
   * @param inAnyOrder by chance and with pauses, to see that none depends on the order
   * @param steps gets a readable text for each step that begins; on the caller's thread
   */
  static FederatedCluster start(
      Path folder,
      ServerCounts counts,
      HBaseJvm hbase,
      String routerClassPath,
      boolean inAnyOrder,
      Consumer<String> steps)
      throws Exception {
    return new FederatedCluster(
        folder.toAbsolutePath(), counts, hbase, routerClassPath, inAnyOrder, steps);
  }

  /** The folder with the settings for clients. */
  Path confFolder() {
    return folder.resolve("conf");
  }

  /** Where clients find the tree. */
  static URI uri() {
    return URI.create("hdfs://" + Sites.TREE);
  }

  private void startInAnyOrder(List<Server> all) throws IOException, CommandFailure {
    for (Server server : all) {
      if (!isPrepared(server)) {
        throw new CommandFailure(
            "The first start goes in order: leave out --any-order until all is made.");
      }
    }
    List<Server> mixed = new ArrayList<>(all);
    Collections.shuffle(mixed);
    for (Server server : mixed) {
      steps.accept("Starting " + server.name());
      supervisor.keep(server);
      LockSupport.parkNanos(PAUSE_BETWEEN_STARTS_NS);
      if (Thread.currentThread().isInterrupted()) {
        throw new InterruptedIOException("interrupted while the cluster started");
      }
    }
  }

  private boolean isPrepared(Server server) throws IOException {
    return switch (server.kind()) {
      case META_NAMENODE, NAMENODE -> NameNode.isFormatted(site(server));
      default -> true;
    };
  }

  private void prepare(Server server) throws Exception {
    if (isPrepared(server)) {
      return;
    }
    Configuration site = site(server);
    boolean isFirst = server.name().equals(server.kind().name(0));
    if (isFirst && server.kind() == ServerKind.NAMENODE) {
      steps.accept("Waiting for HBase, which begins on the file system of the first NameNodes");
      awaitHBase();
    }
    steps.accept("Preparing NameNode " + server.name());
    if (isFirst) {
      NameNode.format(site, choices.clusterId(), false);
      return;
    }
    if (server.kind() == ServerKind.META_NAMENODE) {
      Path first = Servers.readyFile(folder.resolve(ServerKind.META_NAMENODE.name(0)));
      await("The start of the first NameNode", () -> Files.exists(first));
    }
    NameNode.bootstrap(site);
  }

  private Configuration site(Server server) throws IOException {
    Configuration site = new HdfsConfiguration();
    Configuration own =
        server.kind() == ServerKind.NAMENODE
            ? sites.largeNameNode(server.name())
            : sites.metaNameNode(server.name());
    own.forEach(setting -> site.set(setting.getKey(), setting.getValue()));
    return site;
  }

  /** With all region servers, so that the table begins on all of them. */
  private void awaitHBase() throws Exception {
    try (ClusterProbe probe = new ClusterProbe(sites.zooKeeper())) {
      await(
          "HBase",
          () -> {
            LockSupport.parkNanos(PAUSE_BETWEEN_PROBES_NS); // each that fails opens connections
            try {
              return probe.serves(counts.regionServers());
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
              throw new InterruptedIOException("interrupted while waiting for HBase");
            }
          });
    }
  }

  private void awaitService() throws Exception {
    steps.accept("Waiting for the file system");
    Configuration conf = new HdfsConfiguration();
    sites.client().forEach(setting -> conf.set(setting.getKey(), setting.getValue()));
    for (String nameservice : List.of(Sites.META, Sites.LARGE)) {
      try (DistributedFileSystem fs = client(nameservice, conf)) {
        await("A file system with DataNodes at " + fs.getUri(), () -> hasDataNodes(fs));
      }
    }
    try (DistributedFileSystem tree = client(Sites.TREE, conf)) {
      await("An answer of a Router", () -> answers(tree, "/"));
      org.apache.hadoop.fs.Path mounted = new org.apache.hadoop.fs.Path(Sites.HBASE_ROOT);
      if (!tree.exists(mounted)) {
        steps.accept("Mounting HBase's files");
        mount();
        await("HBase's files in the tree", () -> answers(tree, Sites.HBASE_ROOT));
        FirstDirectories.make(tree);
      }
    }
  }

  private void mount() throws IOException, CommandFailure, InterruptedException {
    Path log = folder.resolve("log/mount.log");
    Process process = servers.mount().start(log);
    if (!process.waitFor(COMMAND_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new CommandFailure("The Router's command does not end; its log is " + log + ".");
    }
    if (process.exitValue() != 0) {
      throw new CommandFailure("The Router refuses to mount HBase's files; see " + log + ".");
    }
  }

  private static DistributedFileSystem client(String nameservice, Configuration conf)
      throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(URI.create("hdfs://" + nameservice), conf);
  }

  private boolean hasDataNodes(DistributedFileSystem fs) {
    try {
      return fs.getDataNodeStats(DatanodeReportType.LIVE).length >= counts.of(ServerKind.DATANODE);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean answers(FileSystem fs, String path) {
    try {
      return fs.exists(new org.apache.hadoop.fs.Path(path));
    } catch (IOException e) {
      return false;
    }
  }

  private void await(String what, Await.Condition condition) throws IOException, CommandFailure {
    try {
      Await.until(what, LIMIT, condition);
    } catch (TimeoutException e) {
      throw new CommandFailure(
          e.getMessage() + "; the logs in " + folder.resolve("log") + " say why.", e);
    }
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
