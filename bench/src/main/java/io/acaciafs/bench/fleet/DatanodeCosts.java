package io.acaciafs.bench.fleet;

import io.acaciafs.bench.Bench;
import io.acaciafs.bench.BenchSettings;
import io.acaciafs.bench.CpuMeter;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.fleet.FleetCounts.Kind;
import io.acaciafs.bench.load.LoadedReplicas;
import io.acaciafs.bench.workload.Sizes;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * What thousands of DataNodes cost NameNodes: to register, to send heartbeats and reports, in
 * memory; and what a client feels of them when all NameNodes start anew. For one thread.
 */
public final class DatanodeCosts {
  private static final String USER = "datanodes";
  private static final int THREADS = 1;
  private static final int REPLICATION = 3;

  /** Of loaded files; the others have no block. */
  private static final double FILES_WITH_BLOCK = 0.976;

  private static final int MORE_STORAGES = 3;
  private static final int WARM_UP_HEARTBEATS_A_SECOND = 5_000;
  private static final int CHURN_REPORTS_A_SECOND = 100;
  private static final int CHURN_REPLICAS = 5;
  private static final Duration LOOK = Duration.ofSeconds(1);

  /** What the NameNodes keep their namespace in. */
  public enum Engine {
    ROCKSDB("RocksDB"),
    HBASE("HBase");

    private final String title;

    Engine(String title) {
      this.title = title;
    }

    /** In commands. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    String title() {
      return title;
    }
  }

  /**
   * What is measured, and how long.
   *
   * @param replicas of all DataNodes, nearly
   * @param warmUp before heartbeats, and with more of them
   * @param steady each of heartbeats, incremental reports, full reports, an idle client
   * @param settle before each of them
   * @param storm at most, from the first answers behind the restart on
   */
  public record Plan(
      Engine engine,
      int datanodes,
      long replicas,
      int nameNodes,
      Duration heartbeat,
      Duration warmUp,
      Duration steady,
      Duration settle,
      Duration storm,
      List<String> jvmOptions) {}

  private final Plan plan;
  private final Path folder;
  private final Steps steps;
  private final Consumer<String> log;

  private DatanodeCosts(Plan plan, Path folder, Steps steps, Consumer<String> log) {
    this.plan = plan;
    this.folder = folder;
    this.steps = steps;
    this.log = log;
  }

  /**
   * What came of it.
   *
   * @param table for the page of benchmarks
   * @param json for machines
   */
  public record Outcome(Engine engine, String table, String json) {
    /** Puts the table between its marks in a page. */
    public void writeTo(Path page) throws IOException {
      new MarkedSection("bench/datanodes --engine " + engine.label()).write(page, table);
    }

    /** Writes the figures into a file. */
    public void writeJson(Path file) throws IOException {
      Files.writeString(file, json);
    }
  }

  /**
   * Measures everything.
   *
   * @param folder for files
   * @param log is told of each figure
   */
  public static Outcome run(
      Plan plan, Machine machine, Path folder, Steps steps, Consumer<String> log)
      throws IOException {
    DatanodeCosts costs = new DatanodeCosts(plan, folder, steps, log);
    DatanodeFigures figures =
        plan.engine() == Engine.ROCKSDB ? costs.onRocksDb(machine) : costs.onHBase(machine);
    return new Outcome(plan.engine(), figures.table(), figures.json());
  }

  /** CPU for a new DataNode, and the heap. */
  private record NewDatanodes(double cpuUs, DatanodeFigures.Heap heap) {}

  private DatanodeFigures onRocksDb(Machine machine) throws IOException {
    NewDatanodes fresh;
    try (NameNodeGroup empty =
        NameNodeGroup.onRocksDb(folder.resolve("empty"), plan.jvmOptions())) {
      empty.start();
      long heapBefore = empty.liveHeapBytes();
      try (MeasuredFleet fleet = startFleet(empty, "new-", Holdings.NONE)) {
        fresh = measureNew(empty, fleet, heapBefore);
      }
    }
    try (NameNodeGroup group =
        NameNodeGroup.onRocksDb(folder.resolve("loaded"), plan.jvmOptions())) {
      long files = Math.round(plan.replicas() / (double) REPLICATION / FILES_WITH_BLOCK);
      steps.begin("load");
      group.run(
          List.of(
              "bench",
              "load",
              "--files=" + files,
              "--datanodes=" + plan.datanodes(),
              "--replication=" + REPLICATION));
      log.accept(String.format(Locale.ROOT, "%,d files loaded", files));
      group.start();
      LoadedReplicas replicas = new LoadedReplicas(files, plan.datanodes(), REPLICATION);
      try (MeasuredFleet fleet = startFleet(group, "loaded-", replicas::blocksOf)) {
        fleet.awaitRegistered();
        return measure(machine, group, fleet, fresh);
      }
    }
  }

  private DatanodeFigures onHBase(Machine machine) throws IOException {
    steps.begin("start HBase");
    try (NameNodeGroup group = NameNodeGroup.onHBase(folder, plan.jvmOptions(), plan.nameNodes())) {
      group.start();
      long heapBefore = group.liveHeapBytes();
      try (MeasuredFleet fleet = startFleet(group, "simulated-", Holdings.NONE)) {
        NewDatanodes fresh = measureNew(group, fleet, heapBefore);
        fill(group, fleet.fleet());
        return measure(machine, group, fleet, fresh);
      }
    }
  }

  /** By clients that write files of one block. */
  private void fill(NameNodeGroup group, Fleet fleet) throws IOException {
    int files = (int) Math.max(1, plan.replicas() / REPLICATION);
    int directories = Math.max(1, files / 100);
    Bench bench =
        new Bench(
            new BenchSettings(
                new BenchSettings.Target(group.addresses().get(0), List.of(), "/bench"),
                new Shape(4, 64),
                1,
                new BenchSettings.Times(Duration.ZERO, plan.steady()),
                new Sizes(directories, 2, files / directories, 1, 1),
                0,
                true),
            "fill",
            fleet,
            steps);
    bench.prepareReads();
    log.accept(String.format(Locale.ROOT, "%,d files written", files));
  }

  private MeasuredFleet startFleet(NameNodeGroup group, String uuidPrefix, Holdings holdings)
      throws IOException {
    steps.begin("register");
    CpuMeter meter = new CpuMeter(group.pids());
    meter.start();
    return new MeasuredFleet(
        Fleet.start(
            new Fleet.Plan(plan.datanodes(), uuidPrefix, USER, plan.heartbeat(), THREADS),
            group.addresses(),
            holdings),
        meter);
  }

  private NewDatanodes measureNew(NameNodeGroup group, MeasuredFleet measured, long heapBefore)
      throws IOException {
    Fleet fleet = measured.fleet();
    measured.awaitRegistered();
    measured.whole().stop();
    double cpuUs = cpuUs(measured.whole()) / fleet.links();
    note("new DataNodes", measured.whole().seconds(), cpuUs, fleet.links());
    long heapWithOne = group.liveHeapBytes();
    steps.begin("more storages");
    fleet.storages(1 + MORE_STORAGES);
    measured.awaitBeats(2);
    long heapWithMore = group.liveHeapBytes();
    double perStorage = (heapWithMore - heapWithOne) / (double) (MORE_STORAGES * fleet.links());
    double perDatanode = (heapWithOne - heapBefore) / (double) fleet.links() - perStorage;
    log.accept(
        String.format(
            Locale.ROOT, "heap: %,.0f bytes a DataNode, %,.0f a storage", perDatanode, perStorage));
    return new NewDatanodes(cpuUs, new DatanodeFigures.Heap(perDatanode, perStorage));
  }

  private DatanodeFigures measure(
      Machine machine, NameNodeGroup group, MeasuredFleet measured, NewDatanodes fresh)
      throws IOException {
    Fleet fleet = measured.fleet();
    pause(plan.settle());
    double registrationUs = measureRegistrations(group, measured);
    warmUp(fleet);
    pause(plan.settle());

    steps.begin("heartbeats");
    Counted beats = count(group, measured, Kind.HEARTBEATS);
    double heartbeatUs = beats.cpuUs / Math.max(1, beats.events);
    note("heartbeats", beats.seconds, heartbeatUs, beats.events);

    steps.begin("incremental reports");
    fleet.beginChurn(CHURN_REPORTS_A_SECOND, CHURN_REPLICAS);
    Counted incremental = count(group, measured, Kind.INCREMENTAL_REPLICAS);
    fleet.endTurns();
    double incrementalUs =
        (incremental.cpuUs - incremental.beats * heartbeatUs)
            / (Math.max(1, incremental.events) / (double) plan.nameNodes());
    note("incremental reports", incremental.seconds, incrementalUs, incremental.events);
    pause(plan.settle());

    steps.begin("full reports");
    fleet.wantFullReports(true);
    Counted full = count(group, measured, Kind.FULL_REPORT_REPLICAS);
    fleet.wantFullReports(false);
    double fullUs = (full.cpuUs - full.beats * heartbeatUs) / Math.max(1, full.events);
    note("full reports", full.seconds, fullUs, full.events);
    pause(plan.settle());

    DatanodeFigures.Restart restart = restart(group, measured);
    if (measured.count(Kind.BLOCK_COMMANDS) > 0) {
      log.accept(measured.count(Kind.BLOCK_COMMANDS) + " commands to copy or delete blocks");
    }
    log.accept("Not answered: " + fleet.counts().failures());
    return new DatanodeFigures(
        plan,
        machine,
        new DatanodeFigures.Cpu(fresh.cpuUs, registrationUs, heartbeatUs, incrementalUs, fullUs),
        fresh.heap,
        beats.cpuUs / 1e6 / beats.seconds,
        restart);
  }

  /**
   * Until the JVMs' compilers have settled, which would take minutes at the DataNodes' own rate.
   */
  private void warmUp(Fleet fleet) throws IOException {
    steps.begin("warm up");
    fleet.beginMoreHeartbeats(WARM_UP_HEARTBEATS_A_SECOND);
    pause(plan.warmUp());
    fleet.endTurns();
  }

  private double measureRegistrations(NameNodeGroup group, MeasuredFleet measured)
      throws IOException {
    steps.begin("register again");
    CpuMeter meter = new CpuMeter(group.pids());
    long before = measured.count(Kind.REGISTRATIONS);
    meter.start();
    measured.fleet().restart(false);
    measured
        .fleet()
        .await(Kind.REGISTRATIONS, before, measured.fleet().links(), MeasuredFleet.LIMIT);
    meter.stop();
    double us = cpuUs(meter) / measured.fleet().links();
    note("registrations", meter.seconds(), us, measured.fleet().links());
    return us;
  }

  /**
   * What happened in a span.
   *
   * @param beats heartbeats
   */
  private record Counted(double seconds, double cpuUs, long events, long beats) {}

  private Counted count(NameNodeGroup group, MeasuredFleet measured, Kind kind) throws IOException {
    CpuMeter meter = new CpuMeter(group.pids());
    long events = measured.count(kind);
    long beats = measured.count(Kind.HEARTBEATS);
    meter.start();
    pause(plan.steady());
    meter.stop();
    return new Counted(
        meter.seconds(),
        cpuUs(meter),
        measured.count(kind) - events,
        measured.count(Kind.HEARTBEATS) - beats);
  }

  private DatanodeFigures.Restart restart(NameNodeGroup group, MeasuredFleet measured)
      throws IOException {
    Fleet fleet = measured.fleet();
    steps.begin("idle client");
    Histogram idle;
    try (PacedStats stats = new PacedStats(group.addresses().get(0))) {
      stats.run(plan.steady());
      idle = stats.latencies();
    }
    steps.begin("restart");
    group.kill();
    fleet.restart(true);
    fleet.awaitDisconnected(MeasuredFleet.LIMIT);
    long registrations = measured.count(Kind.REGISTRATIONS);
    long reports = measured.count(Kind.FULL_REPORTS);
    long begin = System.nanoTime();
    double firstCallMs = group.start();
    log.accept(String.format(Locale.ROOT, "restart: first answers after %,.0f ms", firstCallMs));
    double registeredMs = 0;
    long served = System.nanoTime();
    try (PacedStats stats = new PacedStats(group.addresses().get(0))) {
      while (secondsSince(served) < plan.storm().toSeconds()
          && (registeredMs == 0
              || measured.count(Kind.FULL_REPORTS) - reports < plan.datanodes())) {
        stats.run(LOOK);
        if (registeredMs == 0
            && measured.count(Kind.REGISTRATIONS) - registrations >= fleet.links()) {
          registeredMs = secondsSince(begin) * 1e3;
        }
      }
      return noted(
          new DatanodeFigures.Restart(
              firstCallMs,
              registeredMs,
              secondsSince(served),
              measured.count(Kind.FULL_REPORTS) - reports,
              idle,
              stats.latencies()));
    }
  }

  private DatanodeFigures.Restart noted(DatanodeFigures.Restart restart) {
    log.accept(
        String.format(
            Locale.ROOT,
            "restart: registered after %,.0f ms, %,d full reports in %.1f s; stat p99 %.2f ms, idle"
                + " %.2f; most %.1f ms",
            restart.registeredMs(),
            restart.reports(),
            restart.stormSeconds(),
            restart.storm().getValueAtPercentile(99) / 1e6,
            restart.idle().getValueAtPercentile(99) / 1e6,
            restart.storm().getMaxValue() / 1e6));
    return restart;
  }

  private static double secondsSince(long nanos) {
    return (System.nanoTime() - nanos) / 1e9;
  }

  private static double cpuUs(CpuMeter meter) {
    return meter.serverSeconds().stream().mapToDouble(Double::doubleValue).sum() * 1e6;
  }

  private void note(String what, double seconds, double us, long count) {
    log.accept(
        String.format(
            Locale.ROOT,
            "%s: %,d in %.1f s, %.2f us of CPU each, %.1f %% of a processor",
            what,
            count,
            seconds,
            us,
            us * count / 1e4 / seconds));
  }

  private static void pause(Duration time) throws IOException {
    long end = System.nanoTime() + time.toNanos();
    for (long rest = time.toNanos(); rest > 0; rest = end - System.nanoTime()) {
      LockSupport.parkNanos(rest);
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted while DataNodes were at work");
      }
    }
  }
}
