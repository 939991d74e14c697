package io.acaciafs.kv.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads rows. Reads of one server share requests ({@link ReadQueues}), which are sent once, past
 * HBase's client. What such a request does not answer, as its region moved or its server ended, is
 * asked again of that client, which looks for regions and repeats until the time is over. Safe for
 * use by many threads; futures complete on threads of the network: do not block there.
 */
final class RowReads {
  private static final Logger LOG = LoggerFactory.getLogger(RowReads.class);

  private static final int LOOK_AGAIN_MS = 1_000;

  private final Cluster cluster;
  private final KnownRegions regions = new KnownRegions();
  private final ReadQueues queues;

  RowReads(Cluster cluster, Turns turns) {
    this.cluster = cluster;
    this.queues = new ReadQueues(this::send, turns, Thread::yield);
  }

  CompletableFuture<RowState> readLater(byte[] row) {
    cluster.noteWaitedFor();
    RowRead read = new RowRead(known(row), row);
    if (read.region() == null) {
      askClient(List.of(read));
    } else {
      queues.send(read.region().getServerName(), List.of(read));
    }
    return read.state();
  }

  /** Reads rows, each at a moment of its own; fails when one of them does. */
  CompletableFuture<List<RowState>> readLater(List<byte[]> rows) {
    if (rows.size() == 1) {
      return readLater(rows.get(0)).thenApply(List::of);
    }
    cluster.noteWaitedFor();
    List<RowRead> all = rows.stream().map(row -> new RowRead(known(row), row)).toList();
    Map<ServerName, List<RowRead>> servers = new LinkedHashMap<>();
    List<RowRead> elsewhere = new ArrayList<>(0);
    for (RowRead read : all) {
      if (read.region() == null) {
        elsewhere.add(read);
      } else {
        servers
            .computeIfAbsent(read.region().getServerName(), server -> new ArrayList<>(rows.size()))
            .add(read);
      }
    }
    servers.forEach(queues::send);
    askClient(elsewhere);
    return CompletableFuture.allOf(
            all.stream().map(RowRead::state).toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(read -> read.state().join()).toList());
  }

  /** The region of a row as far as is known without asking; null where it is not. */
  private HRegionLocation known(byte[] row) {
    HRegionLocation known = regions.of(row);
    if (known != null) {
      return known;
    }
    CompletableFuture<HRegionLocation> region;
    try {
      region = cluster.locate(row);
    } catch (RuntimeException e) { // it is closed, as HBase's client will say
      return null;
    }
    if (!region.isDone() || region.isCompletedExceptionally()) {
      return null;
    }
    HRegionLocation found = region.join();
    if (found == null || found.getServerName() == null) {
      return null;
    }
    regions.add(found);
    return found;
  }

  private CompletableFuture<Void> send(ServerName server, List<RowRead> reads) {
    SharedRead request = new SharedRead(reads);
    HBaseRpcController controller = cluster.newController();
    CompletableFuture<Void> back = new CompletableFuture<>();
    cluster.noteSent();
    try {
      cluster
          .server(server)
          .multi(
              controller,
              request.request(),
              response ->
                  cluster.goOn(
                      controller,
                      () -> {
                        try {
                          take(request, controller, response);
                        } finally {
                          back.complete(null);
                        }
                      }));
    } catch (IOException e) {
      LOG.debug("A server cannot be asked server={}", server, e);
      back.complete(null);
    }
    return bounded(back)
        .thenRun(() -> lookFor(reads.stream().filter(read -> !read.state().isDone()).toList()));
  }

  /** HBase's client keeps the limit itself; this one is for what it forgets. */
  private CompletableFuture<Void> bounded(CompletableFuture<Void> request) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    request
        .orTimeout(2L * cluster.options().rpcTimeoutMs(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (nothing, timeout) -> {
              if (timeout == null) {
                over.complete(null);
              } else {
                cluster.aside().execute(() -> over.complete(null));
              }
            });
    return over;
  }

  private static void take(
      SharedRead request, HBaseRpcController controller, MultiResponse response) {
    if (controller.failed()) {
      return;
    }
    try {
      request.complete(response, controller.cellScanner());
    } catch (IOException | RuntimeException e) {
      LOG.warn("An answer of HBase makes no sense, and is asked for again", e);
    }
  }

  /**
   * Reads what is not where it was, each for itself: one that hangs is not to hold the others up.
   */
  private void lookFor(List<RowRead> reads) {
    for (RowRead read : reads) {
      regions.forget(read.region());
      askClient(List.of(read));
    }
  }

  /** Has HBase's client read what there is. */
  private void askClient(List<RowRead> reads) {
    if (reads.isEmpty()) {
      return;
    }
    List<Get> gets =
        reads.stream().map(read -> new Get(read.row()).addFamily(Columns.DATA)).toList();
    List<CompletableFuture<Result>> rows;
    try {
      rows = cluster.get(gets);
    } catch (RuntimeException e) { // it is closed
      reads.forEach(read -> read.state().completeExceptionally(e));
      return;
    }
    for (int i = 0; i < gets.size(); i++) {
      CompletableFuture<RowState> state = reads.get(i).state();
      rows.get(i)
          .orTimeout(2L * cluster.options().operationTimeoutMs(), TimeUnit.MILLISECONDS)
          .thenApply(RowState::of)
          .whenComplete((row, failure) -> complete(state, row, failure));
      lookAgain(reads.get(i), cluster.options().operationTimeoutMs() / LOOK_AGAIN_MS);
    }
  }

  /**
   * Looks where the region is as long as HBase's client does not find it. By itself that would
   * perhaps not look for two minutes: a server says of a region that came back to it, and was
   * divided there, that it has moved to where it was in between.
   */
  private void lookAgain(RowRead read, int times) {
    if (times > 0) {
      CompletableFuture.delayedExecutor(LOOK_AGAIN_MS, TimeUnit.MILLISECONDS, cluster.aside())
          .execute(
              () -> {
                if (!read.state().isDone()) {
                  cluster.relocateLater(read.row());
                  lookAgain(read, times - 1);
                }
              });
    }
  }

  private static void complete(CompletableFuture<RowState> state, RowState row, Throwable failure) {
    if (failure == null) {
      state.complete(row);
    } else {
      state.completeExceptionally(Failures.causeOf(failure));
    }
  }
}
