package io.acaciafs.kv.hbase.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A stock HBase on the loopback address, in processes of its own: ZooKeeper, one master and some
 * region servers. Ports are any free ones, new at each start; the data stays in the folder. Ends
 * what it started, in any order of events, and nothing else; a process that dies leaves the others
 * alone. Used by one thread at a time.
 */
public final class LocalHBase implements AutoCloseable {
  private static final long LONGEST_START_MS = TimeUnit.MINUTES.toMillis(3);
  private static final long LOOK_EVERY_MS = 250;

  private final LocalHBaseOptions options;
  private final LocalProcesses processes;
  private final List<ChildJvm> servers = new ArrayList<>();
  private final List<Integer> serverPorts = new ArrayList<>();
  private final int zooKeeperPort;
  private final int masterPort;
  private @Nullable ChildJvm master;
  private int serversStarted;

  private LocalHBase(LocalHBaseOptions options, LocalProcesses processes) throws IOException {
    this.options = options;
    this.processes = processes;
    this.zooKeeperPort = FreePorts.next();
    this.masterPort = FreePorts.next();
  }

  /**
   * Starts all processes and waits until every region server serves. One that wants Kerberos is not
   * waited for: this process need not have a ticket.
   *
   * @throws IOException when one of them ends, or it takes longer than three minutes
   */
  public static LocalHBase start(LocalHBaseOptions options)
      throws IOException, InterruptedException {
    LocalProcesses processes =
        new LocalProcesses(options.folder(), options.classPathFile(), options.site().jvmOptions());
    Thread atEnd = new Thread(processes::close, "hbase-local-end");
    Runtime.getRuntime().addShutdownHook(atEnd); // until the caller can close it
    boolean ready = false;
    try {
      LocalHBase hbase = new LocalHBase(options, processes);
      hbase.startAll();
      handOver(atEnd);
      ready = true;
      return hbase;
    } finally {
      if (!ready) {
        processes.close();
      }
    }
  }

  private static void handOver(Thread atEnd) throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      throw new IOException("This process was told to end", e);
    }
  }

  /** Where clients find it: host and port of ZooKeeper. */
  public String zooKeeper() {
    return "127.0.0.1:" + zooKeeperPort;
  }

  /** Process ids of the region servers. */
  public List<Long> serverPids() {
    return servers.stream().map(ChildJvm::pid).toList();
  }

  /** Where the region servers listen, in the same order. */
  public List<Integer> serverPorts() {
    return List.copyOf(serverPorts);
  }

  /** Ends a region server with signal 9; HBase learns of it when its session has timed out. */
  public void killServer(int index) throws InterruptedException {
    serverPorts.remove(index);
    processes.kill(servers.remove(index));
  }

  /**
   * Ends a region server with signal 9, and tells HBase at once, as its own scripts do when they
   * see a server end.
   */
  public void killServerAndTell(int index) throws IOException, InterruptedException {
    int port = serverPorts.get(index);
    killServer(index);
    ServerNodes.remove(zooKeeper(), port);
  }

  /** Ends the master, which was not killed yet, with signal 9. */
  public void killMaster() throws InterruptedException {
    processes.kill(Objects.requireNonNull(master, "started with the rest"));
    master = null;
  }

  /** Ends a region server in order: it gives its regions away first. */
  public void stopServer(int index) {
    serverPorts.remove(index);
    processes.stop(servers.remove(index));
  }

  /**
   * Forgets region servers that ended by themselves, as one does that was taken for dead.
   *
   * @return how many there were
   */
  public int forgetEndedServers() throws InterruptedException {
    int count = 0;
    for (int i = servers.size() - 1; i >= 0; i--) {
      if (!servers.get(i).isAlive()) {
        killServer(i);
        count++;
      }
    }
    return count;
  }

  /**
   * Checks that all that was started and not killed runs.
   *
   * @throws IOException when a process has ended, with the end of its log
   */
  public void requireAlive() throws IOException {
    processes.requireAlive();
  }

  /** Starts one more region server; does not wait until it serves. */
  public void startServer() throws IOException {
    String name = "regionserver-" + ++serversStarted;
    int port = FreePorts.next();
    serverPorts.add(port);
    servers.add(
        processes.keep(
            name,
            options.serverHeapMb(),
            options.serverJvmOptions(),
            List.of(
                "org.apache.hadoop.hbase.regionserver.HRegionServer",
                "-Dhbase.regionserver.port=" + port,
                "start")));
  }

  /** Waits until so many region servers serve, and every region is on one of them. */
  public void awaitServers(int count) throws IOException, InterruptedException {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(LONGEST_START_MS);
    try (ClusterProbe probe = new ClusterProbe(zooKeeper())) {
      while (!probe.serves(count)) {
        if (System.nanoTime() - deadlineNs > 0) {
          throw new IOException(
              "HBase does not serve after "
                  + LONGEST_START_MS / 1000
                  + " s; its logs are in "
                  + options.folder().resolve("log"),
              probe.lastFailure());
        }
        processes.await(LOOK_EVERY_MS);
      }
    }
  }

  private void startAll() throws IOException, InterruptedException {
    LocalHdfs hdfs = options.usesHdfs() ? new LocalHdfs(options.folder().resolve("hdfs")) : null;
    Path configuration = processes.configuration();
    SiteFile.write(configuration.resolve("hbase-site.xml"), settings(hdfs));
    // What begins with dfs counts in the second of these only, the address in the first.
    for (String file : List.of("core-site.xml", "hdfs-site.xml")) {
      Map<String, String> shared = new LinkedHashMap<>(options.site().settings());
      if (hdfs != null) {
        shared.putAll(hdfs.settings());
      }
      SiteFile.write(configuration.resolve(file), shared);
    }
    processes.keep(
        "zookeeper", 128, List.of("org.apache.hadoop.hbase.zookeeper.HQuorumPeer", "start"));
    if (hdfs != null) {
      hdfs.start(processes);
    }
    master =
        processes.keep("master", 256, List.of("org.apache.hadoop.hbase.master.HMaster", "start"));
    for (int i = 0; i < options.servers(); i++) {
      startServer();
    }
    if (!options.wantsKerberos()) {
      awaitServers(options.servers());
    }
  }

  private Map<String, String> settings(@Nullable LocalHdfs hdfs) {
    Path data = options.folder().resolve("data");
    Map<String, String> settings = LoopbackSettings.make();
    settings.put("hbase.rootdir", hdfs == null ? data.toUri().toString() : hdfs.uri() + "/hbase");
    settings.put("hbase.tmp.dir", options.folder().resolve("tmp").toString());
    settings.put("hbase.zookeeper.quorum", "127.0.0.1");
    settings.put("hbase.zookeeper.property.clientPort", String.valueOf(zooKeeperPort));
    settings.put("hbase.zookeeper.property.clientPortAddress", "127.0.0.1");
    settings.put(
        "hbase.zookeeper.property.dataDir", options.folder().resolve("zookeeper").toString());
    settings.put("hbase.zookeeper.property.tickTime", "1000");
    String sessionTimeout = String.valueOf(options.sessionTimeoutMs());
    settings.put("zookeeper.session.timeout", sessionTimeout);
    // Of itself ZooKeeper grants twenty ticks at most.
    settings.put("hbase.zookeeper.property.maxSessionTimeout", sessionTimeout);
    settings.put("hbase.master.port", String.valueOf(masterPort));
    if (hdfs == null) {
      settings.put("hbase.wal.provider", "filesystem");
      // Local files cannot promise to be on the disk; one server that is killed loses nothing.
      settings.put("hbase.unsafe.stream.capability.enforce", "false");
    } else {
      settings.putAll(hdfs.settings());
    }
    settings.putAll(options.site().settings());
    return settings;
  }

  @Override
  public void close() {
    processes.close();
  }
}
