package io.acaciafs.bench.scale;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.bench.compare.Listening;
import io.acaciafs.bench.compare.Site;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namespace.Namespace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * All processes of a benchmark. Region servers run from the start, and so do {@linkplain LonePairs
 * NameNodes with a table each} that is never cut. The table that is cut lies on the first server
 * until then; its NameNodes are started when they are used. For one thread.
 */
final class ScaleCluster implements AutoCloseable {
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(2);
  private static final int SERVER_HEAP_MB = 384;

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
  private final LonePairs lonePairs = new LonePairs();
  private final List<TablePieces> loneTables = new ArrayList<>();
  private final Consumer<String> log;
  private int pairs;

  /** Whoever is interrupted leaves no processes behind. */
  private final Thread atEnd = new Thread(this::endAll, "bench-end");

  private ScaleCluster(ScalePlan plan, Path folder, Consumer<String> log) throws IOException {
    this.plan = plan;
    this.log = log;
    Runtime.getRuntime().addShutdownHook(atEnd);
    try {
      quotas = resources.add(CpuQuotas.ofThisMachine());
      this.folder = folder;
      hbase =
          resources.add(
              BenchHBase.start(
                  folder.resolve("hbase"),
                  Math.max(2, plan.most()),
                  SERVER_HEAP_MB,
                  List.of(QUICK_COMPILER)));
      pieces = resources.add(TablePieces.of(hbase, TABLE));
      if (plan.isNameNodeLimited()) {
        startLonePairs();
      }
      use(1);
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /**
   * @param log is told what goes wrong beside what is measured
   */
  static ScaleCluster start(ScalePlan plan, Path folder, Consumer<String> log) throws IOException {
    return new ScaleCluster(plan, folder, log);
  }

  /** Until there are so many. */
  private void startNameNodes(int count) throws IOException {
    List<Started> started = new ArrayList<>();
    for (int number = addresses.size(); number < count; number++) {
      Site site = site("namenode-" + number, TABLE);
      List<String> prepare = number == 0 ? Contestant.ACACIA.format() : List.of("bootstrap");
      started.add(start(site, prepare));
    }
    for (Started each : started) {
      each.await();
      addresses.add(each.site.address());
      nameNodePids.add(each.program.pid());
    }
  }

  private Site site(String name, String table) throws IOException {
    Map<String, String> settings = BenchHBase.storeSettings(hbase, table, "classpath");
    settings.put("acacia.namespace.layout", plan.site().layout());
    settings.put("acacia.rpc.io.threads", "1"); // as each has a part of a processor
    settings.put("acacia.namenode.lease", LocalHBaseOptions.PATIENT_SESSION_MS + "ms");
    return Site.create(Contestant.ACACIA, folder.resolve(name), NAMENODE_OPTIONS, settings);
  }

  /** A NameNode that need not serve yet: others are started meanwhile. */
  private record Started(Site site, JavaProgram program) {
    void await() throws IOException {
      Listening.await(site.address(), program);
    }
  }

  private Started start(Site site, List<String> prepare) throws IOException {
    site.run(prepare, "format", COMMAND_LIMIT);
    return new Started(site, resources.add(site.start(Contestant.ACACIA.serve(), "output")));
  }

  private void startLonePairs() throws IOException {
    List<Started> started = new ArrayList<>();
    for (int pair = 0; pair < plan.most(); pair++) {
      started.add(start(site("lone-" + pair, "lone-" + pair), Contestant.ACACIA.format()));
    }
    resources.add(lonePairs); // which end before their NameNodes
    for (int pair = 0; pair < plan.most(); pair++) {
      Started each = started.get(pair);
      each.await();
      TablePieces piece = resources.add(TablePieces.of(hbase, "lone-" + pair));
      piece.deal(hbase.serverPorts().subList(pair, pair + 1), List.of());
      loneTables.add(piece);
      lonePairs.add(
          new LonePair(
              pair,
              each.program.pid(),
              each.site.address(),
              plan.load().shape(),
              plan.load().sizes(),
              log));
      quotas.put(pair, pidsOf(pair));
    }
  }

  /** Processes that share a limit. */
  List<Long> pidsOf(int pair) {
    List<Long> pids = new ArrayList<>(List.of(hbase.serverPids().get(pair)));
    if (pair < lonePairs.count()) {
      pids.add(lonePairs.get(pair).pid());
    }
    if (plan.isNameNodeLimited() && pair < nameNodePids.size()) {
      pids.add(nameNodePids.get(pair));
    }
    return pids;
  }

  /** What serves when so many pairs do; one has a namespace of its own, if there are such. */
  List<InetSocketAddress> addresses(int pairs) {
    return pairs == 1 && lonePairs.count() > 0
        ? List.of(lonePairs.get(0).address())
        : addresses.subList(0, plan.nameNodesOf(pairs));
  }

  /** The NameNode that serves the table that is cut, from the start. */
  InetSocketAddress firstAddress() {
    return addresses.get(0);
  }

  String limits() {
    return quotas.describe();
  }

  /** Limits all pairs, those that are not in use too; or none. */
  void limit(boolean isLimited) throws IOException {
    for (int pair = 0; pair < Math.max(pairs, lonePairs.count()); pair++) {
      quotas.limit(pair, isLimited ? plan.site().percentOfCore() : 0);
    }
  }

  /** None where NameNodes have no limit. */
  LonePairs lonePairs() {
    return lonePairs;
  }

  /**
   * Starts the NameNodes that so many pairs have, cuts the table and deals it out to their region
   * servers; clients may be at work meanwhile.
   */
  void use(int count) throws IOException {
    startNameNodes(plan.nameNodesOf(count));
    while (pairs < count) {
      quotas.put(pairs, pidsOf(pairs));
      pairs++;
    }
    pieces.cut(HBaseAdmin.splits(Namespace.tables(), count));
    pieces.deal(hbase.serverPorts().subList(0, count), List.of());
  }

  /** Has HBase write what is in all tables to files, as it does when it cuts one. */
  void rewrite() throws IOException {
    List<TablePieces> tables = new ArrayList<>(loneTables);
    tables.add(pieces);
    TablePieces.rewrite(tables);
  }

  /** Gives an empty directory a bucket on each of so many servers, by the extended attribute. */
  void spread(String directory, int servers) throws IOException {
    if (servers == 1) {
      return;
    }
    InetSocketAddress address = addresses.get(0);
    URI uri = URI.create("hdfs://" + address.getHostString() + ":" + address.getPort());
    try (FileSystem client = FileSystem.newInstance(uri, new HdfsConfiguration())) {
      client.setXAttr(
          new org.apache.hadoop.fs.Path(directory),
          "user.acacia.buckets",
          Integer.toString(servers).getBytes(StandardCharsets.US_ASCII));
    }
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
