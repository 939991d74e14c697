package io.acaciafs.bench.ha;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Has NameNodes fail over while a client makes directories one after the other, and others make a
 * load if they are to; they call the NameNode that serves. For one thread.
 */
final class FailoverRun implements AutoCloseable {
  private static final int ENOUGH = 200;

  /** For the NameNodes to be at rest but for the load, as they are between failovers. */
  private static final long REST_MS = 5_000;

  private final HaGroup group;
  private final int clients;
  private final Consumer<String> log;
  private final Writer writer;
  private final @Nullable OperationLoad load;
  private final List<Long> killedMs = new ArrayList<>();
  private final List<Long> handedOverMs = new ArrayList<>();
  private long filesAtRest;
  private long rests;

  /**
   * @param clients that make the load; of each number one run in a group
   * @param log is told of each failover
   */
  FailoverRun(HaGroup group, int clients, Consumer<String> log) {
    this.group = group;
    this.clients = clients;
    this.log = log;
    writer = new Writer(group.client(), "/failovers-" + clients);
    load =
        clients == 0
            ? null
            : new OperationLoad(group::address, Operation.CREATE_DELETE, new Shape(clients, 1));
  }

  /** Kills the NameNode that serves, and starts it again. */
  void kill() throws IOException {
    settle();
    String gone = group.killActive();
    killedMs.add(gap("after " + gone + " was killed"));
    group.restart(gone);
  }

  /** Has a NameNode serve that was started before. */
  void handOver() throws Exception {
    settle();
    group.handOver();
    handedOverMs.add(gap("while leadership was handed over"));
  }

  private void settle() throws IOException {
    if (load != null) {
      load.awaitMore(ENOUGH); // so that its begin is over
    }
    long before = files();
    Nameservice.sleep(REST_MS);
    filesAtRest += files() - before;
    rests++;
    writer.awaitMore(ENOUGH);
    writer.reset();
  }

  private long files() {
    return load == null ? 0 : load.done();
  }

  private long gap(String when) throws IOException {
    writer.awaitMore(ENOUGH);
    long gapMs = writer.longestGapMs();
    log.accept(gapMs + " ms " + when + load().describe());
    return gapMs;
  }

  private Failovers.Load load() {
    double seconds = (double) rests * REST_MS / TimeUnit.SECONDS.toMillis(1);
    return new Failovers.Load(clients, filesAtRest / seconds);
  }

  /** Those so far, at least one. */
  Failovers failovers() {
    return new Failovers(killedMs, handedOverMs, load());
  }

  @Override
  public void close() {
    if (load != null) {
      load.close();
    }
    writer.close();
  }
}
