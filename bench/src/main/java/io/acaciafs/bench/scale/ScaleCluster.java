package io.acaciafs.bench.scale;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.compare.Listening;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.namenode.ResourceStack;
import io.acaciafs.namespace.Namespace;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * All processes of a benchmark. Region servers run from the start, all regions on the first one;
 * NameNodes are started when they are used. For one thread.
 */
final class ScaleCluster implements AutoCloseable {
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);
  private static final int SERVER_HEAP_MB = 384;
  private static final int SESSION_TIMEOUT_MS = 60_000; // who is slow is not dead

  /**
   * With a small part of a processor the best compiler would be at work for as long as anybody
   * measures, at the cost of what is measured.
   */
  private static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  private static final List<String> NAMENODE_OPTIONS =
      List.of("-Xmx256m", "-XX:+UseSerialGC", QUICK_COMPILER);
  private static final String TABLE = "bench";

  private final ResourceStack resources = new ResourceStack();
  private final ScalePlan plan;
  private final Path folder;
  private final LocalHBase hbase;
  private final TablePieces pieces;
  private final CpuQuotas quotas;
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final List<Long> nameNodePids = new ArrayList<>();
  private int pairs;

  /** Whoever is interrupted leaves no processes behind. */
  private final Thread atEnd = new Thread(this::endAll, "bench-end");

  private ScaleCluster(ScalePlan plan, Path folder) throws IOException {
    this.plan = plan;
    Runtime.getRuntime().addShutdownHook(atEnd);
    try {
      quotas = resources.add(CpuQuotas.ofThisMachine());
      this.folder = folder;
      hbase = resources.add(startHBase(plan, folder.resolve("hbase")));
      pieces = resources.add(TablePieces.of(hbase, TABLE));
      use(1);
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  static ScaleCluster start(ScalePlan plan, Path folder) throws IOException {
    return new ScaleCluster(plan, folder);
  }

  private static LocalHBase startHBase(ScalePlan plan, Path folder) throws IOException {
    String classPath = System.getProperty("acacia.hbase.classpath");
    if (classPath == null) {
      throw new IOException("Start it with bin/acacia, which knows where HBase's jars are.");
    }
    try {
      return LocalHBase.start(
          new LocalHBaseOptions(
              folder,
              Path.of(classPath),
              Math.max(2, plan.most()), // with one it would be on local files, unlike the others
              SERVER_HEAP_MB,
              List.of(QUICK_COMPILER),
              SESSION_TIMEOUT_MS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while HBase started");
    }
  }

  private void startNameNode() throws IOException {
    int number = addresses.size();
    Map<String, String> settings =
        Map.of(
            "acacia.store.engine",
            "hbase",
            "acacia.store.hbase.zookeeper",
            hbase.zooKeeper(),
            "acacia.store.hbase.table",
            TABLE,
            "acacia.namespace.layout",
            plan.layout(),
            "acacia.namenode.lease",
            SESSION_TIMEOUT_MS + "ms");
    Site site =
        Site.create(
            Contestant.ACACIA, folder.resolve("namenode-" + number), NAMENODE_OPTIONS, settings);
    List<String> prepare = number == 0 ? Contestant.ACACIA.format() : List.of("bootstrap");
    site.run(prepare, "format", COMMAND_LIMIT);
    JavaProgram program = resources.add(site.start(Contestant.ACACIA.serve(), "output"));
    Listening.await(site.address(), program);
    addresses.add(site.address());
    nameNodePids.add(program.pid());
  }

  /** Processes that share a limit. Its NameNode has to run. */
  List<Long> pidsOf(int pair) {
    List<Long> pids = new ArrayList<>(List.of(hbase.serverPids().get(pair)));
    if (plan.isNameNodeLimited()) {
      pids.add(nameNodePids.get(pair));
    }
    return pids;
  }

  /** What serves when so many pairs do. */
  List<InetSocketAddress> addresses(int pairs) {
    return addresses.subList(0, plan.nameNodesOf(pairs));
  }

  String limits() {
    return quotas.describe();
  }

  /** Limits the pairs in use, or none. */
  void limit(boolean isLimited) throws IOException {
    for (int pair = 0; pair < pairs; pair++) {
      quotas.limit(pair, isLimited ? plan.percentOfCore() : 0);
    }
  }

  /**
   * Starts the NameNodes that so many pairs have, cuts the table and deals it out to their region
   * servers; clients may be at work meanwhile.
   */
  void use(int count) throws IOException {
    while (addresses.size() < plan.nameNodesOf(count)) {
      startNameNode();
    }
    while (pairs < count) {
      quotas.add(pairs, pidsOf(pairs));
      pairs++;
    }
    List<byte[]> splits = HBaseStore.splits(Namespace.tables(), count);
    pieces.cut(splits);
    // The second half are the scattered rows, dealt out anew.
    List<byte[]> begins = splits.isEmpty() ? List.of() : List.of(splits.get(splits.size() - count));
    pieces.deal(hbase.serverPorts().subList(0, count), begins);
  }

  private void endAll() {
    try {
      closeAll();
    } catch (IOException e) {
      System.err.println("Not everything has ended: " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atEnd);
    } catch (IllegalStateException e) {
      return; // this process ends, and the hook with it
    }
    closeAll();
  }

  private synchronized void closeAll() throws IOException {
    resources.close();
  }
}
