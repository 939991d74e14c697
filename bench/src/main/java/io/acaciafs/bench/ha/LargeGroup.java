package io.acaciafs.bench.ha;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.compare.DiskUse;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.MarkedSection;
import io.acaciafs.bench.compare.Resident;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Three NameNodes with a large namespace: the third one joins while files are created, is dead for
 * long, and comes back; in the end all three start at once. For one thread.
 */
public final class LargeGroup implements AutoCloseable {
  private static final MarkedSection SECTION = new MarkedSection("bench/members");
  private static final String FIRST = "nn1";
  private static final String SECOND = "nn2";
  private static final String THIRD = "nn3";
  private static final Duration LOAD_LIMIT = Duration.ofHours(2);
  private static final long LOOK_MS = 5_000;
  private static final long LOOK_AGAIN_MS = 20;
  private static final long AT_ONCE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final double MEGA = 1e6;

  private final AcaciaGroup group;
  private final Consumer<String> log;
  private final List<Fact> facts = new ArrayList<>();

  private LargeGroup(AcaciaGroup group, Consumer<String> log) {
    this.group = group;
    this.log = log;
  }

  /**
   * How to measure.
   *
   * @param files to begin with
   * @param inFlight calls of one client that creates files all the time
   * @param away how long the third one is dead
   */
  public record Plan(long files, int inFlight, Duration away) {}

  /** A row of the table. */
  private record Fact(String what, String figure) {}

  /**
   * Measures everything.
   *
   * @param folder for files
   * @param jvmOptions of all NameNodes
   * @param log is told of each figure
   * @return the table in Markdown
   * @throws IOException also if a call of the client that waits failed
   */
  public static String run(
      Plan plan, Machine machine, Path folder, List<String> jvmOptions, Consumer<String> log)
      throws IOException {
    try (LargeGroup large =
        new LargeGroup(AcaciaGroup.configure(folder.resolve("three"), jvmOptions), log)) {
      large.measure(plan);
      return large.table(plan, machine);
    }
  }

  /** Puts the table between its marks in a page. */
  public static void write(Path page, String table) throws IOException {
    SECTION.write(page, table);
  }

  private void measure(Plan plan) throws IOException {
    load(plan.files());
    group.startNameNode(FIRST);
    join(SECOND, "a second member joins, nothing else goes on");
    try (Writer writer = new Writer(group.client(), "/writer");
        OperationLoad load =
            new OperationLoad(group::address, Operation.CREATE, new Shape(1, plan.inFlight()))) {
      joinUnderLoad(writer, load);
      stayAway(plan.away(), writer, load);
      comeBack(writer);
      memory();
      fact(
          "creates of the whole time that were refused",
          "%s",
          load.refused().isEmpty() ? "none" : load.refused());
    }
    startAll();
  }

  private void load(long files) throws IOException {
    group.format();
    group.site(FIRST).run(List.of("bench", "load", "--files=" + files), "load", LOAD_LIMIT);
    long bytes = DiskUse.bytes(group.site(FIRST).names());
    fact("bytes a file, each member", "%.1f", (double) bytes / files);
  }

  private void join(String id, String what) throws IOException {
    long begin = System.nanoTime();
    group.bootstrap(id);
    double copied = secondsSince(begin);
    double megabytes = DiskUse.bytes(group.site(id).names()) / MEGA;
    group.startNameNode(id);
    group.nameservice.awaitActive();
    group.nameservice.awaitAnswer(id);
    fact(what + ": s to copy the store", "%.1f (%.0f MB/s)", copied, megabytes / copied);
    awaitCaughtUp(id);
    fact(what + ": s until it has all", "%.1f", secondsSince(begin));
  }

  private void joinUnderLoad(Writer writer, OperationLoad load) throws IOException {
    writer.awaitMore(100);
    writer.reset();
    long begin = System.nanoTime();
    long before = load.done();
    join(THIRD, "a third one joins while files are created");
    fact("meanwhile: creates a second", "%,.0f", (load.done() - before) / secondsSince(begin));
    fact("meanwhile: longest wait of a client, ms", "%,d", writer.longestGapMs());
  }

  private void stayAway(Duration away, Writer writer, OperationLoad load) throws IOException {
    group.kill(THIRD);
    writer.reset();
    long begin = System.nanoTime();
    long before = load.done();
    long largestLog = 0;
    while (System.nanoTime() - begin < away.toNanos()) {
      Nameservice.sleep(LOOK_MS);
      long log1 = logBytes(FIRST);
      largestLog = Math.max(largestLog, Math.max(log1, logBytes(SECOND)));
      log.accept(
          String.format(
              Locale.ROOT,
              "%.0f s: %,d created, log %.0f MB, disk %.0f MB",
              secondsSince(begin),
              load.done() - before,
              log1 / MEGA,
              DiskUse.bytes(group.site(FIRST).names()) / MEGA));
    }
    long created = load.done() - before;
    fact("it is dead: s", "%.0f", secondsSince(begin));
    fact("it is dead: files created", "%,d", created);
    fact("it is dead: largest log of the others, MB", "%.0f", largestLog / MEGA);
    fact("it is dead: longest wait of a client, ms", "%,d", writer.longestGapMs());
  }

  private void comeBack(Writer writer) throws IOException {
    writer.reset();
    long begin = System.nanoTime();
    group.restart(THIRD);
    awaitCaughtUp(THIRD);
    fact("it is back: s until it has all", "%.1f", secondsSince(begin));
    fact("it is back: longest wait of a client meanwhile, ms", "%,d", writer.longestGapMs());
    for (String id : AcaciaGroup.IDS) {
      fact(
          "then: disk of " + id + ", MB (log)",
          "%,.0f (%.0f)",
          DiskUse.bytes(group.site(id).names()) / MEGA,
          logBytes(id) / MEGA);
    }
  }

  private void memory() throws IOException {
    for (String id : AcaciaGroup.IDS) {
      fact("memory of " + id + ", at most, MB", "%,.0f", Resident.bytes(group.pid(id)) / MEGA);
    }
  }

  private void startAll() throws IOException {
    for (String id : AcaciaGroup.IDS) {
      group.stop(id);
    }
    long begin = System.nanoTime();
    for (String id : AcaciaGroup.IDS) {
      group.beginNameNode(id);
    }
    group.nameservice.awaitActive();
    fact("all three start at once: ms until one serves", "%,.0f", secondsSince(begin) * 1e3);
    try (Writer writer = new Writer(group.client(), "/after")) {
      writer.awaitMore(1);
    }
    fact("all three start at once: ms to the first write", "%,.0f", secondsSince(begin) * 1e3);
  }

  /** Waits until a member is no more than a second behind those that were there before. */
  private void awaitCaughtUp(String id) throws IOException {
    Nameservice.await(
        id + " with all that the others have",
        LOAD_LIMIT,
        () -> {
          long wanted = applied(FIRST);
          long deadline = System.nanoTime() + AT_ONCE_NS;
          while (applied(id) < wanted) {
            if (System.nanoTime() - deadline > 0) {
              return false;
            }
            Nameservice.sleep(LOOK_AGAIN_MS); // not to load what is measured
          }
          return true;
        });
  }

  private long applied(String id) throws IOException {
    return AppliedBatch.of(group.nameservice.http(id));
  }

  private long logBytes(String id) throws IOException {
    return DiskUse.bytes(group.site(id).names().resolve("current/store/raft"));
  }

  private static double secondsSince(long beginNs) {
    return (System.nanoTime() - beginNs) / 1e9;
  }

  private void fact(String what, String format, Object... figures) {
    Fact fact = new Fact(what, String.format(Locale.ROOT, format, figures));
    facts.add(fact);
    log.accept(fact.what + ": " + fact.figure);
  }

  private String table(Plan plan, Machine machine) {
    StringBuilder text = new StringBuilder(machine.describe()).append(".\n");
    text.append(
        String.format(
            Locale.ROOT,
            "%,d files to begin with, %d creates in flight.%n%n| what | figure |%n|---|---|%n",
            plan.files(),
            plan.inFlight()));
    facts.forEach(each -> text.append("| " + each.what + " | " + each.figure + " |\n"));
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    group.close();
  }
}
