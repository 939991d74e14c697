package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.Assignments;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.schema.RowState;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads rows. Reads of one server share requests ({@link ReadQueues}), which are sent once, past
 * HBase's client, so the process knows which server answered. If the region moved or the server
 * ended, {@link ReadRetries} repeats the read until its time is over. Safe for use by many threads;
 * futures complete on threads of the network: do not block there.
 *
 * <p>A row is as it was at a moment between the call and its completion: its server had the region
 * then, see {@link Assignments}.
 */
public final class RowReads {
  private static final Logger LOG = LoggerFactory.getLogger(RowReads.class);

  private final ClusterClient client;
  private final RegionLocator regions;
  private final Membership membership;
  private final AssignmentProver prover;
  private final ReadQueues queues;
  private final ReadRetries retries;

  public RowReads(
      ClusterClient client,
      RegionLocator regions,
      Membership membership,
      AssignmentProver prover,
      ReadRetries retries,
      RequestLimiter limiter) {
    this.client = client;
    this.regions = regions;
    this.membership = membership;
    this.prover = prover;
    this.retries = retries;
    this.queues = new ReadQueues(this::send, limiter, Thread::yield);
  }

  public CompletableFuture<RowState> readLater(byte[] row) {
    client.noteWaitedFor();
    RowRead read = newRead(row);
    begin(read);
    return read.state();
  }

  /** A cell beside the data, such as a transaction's record; null where there is none. */
  public CompletableFuture<byte[]> readRecordLater(byte[] row, byte[] column) {
    client.noteWaitedFor();
    RecordRead read = new RecordRead(row, column, client.readPatienceMs());
    begin(read);
    return read.record();
  }

  private RowRead newRead(byte[] row) {
    return new RowRead(row, membership.isOwn(row), client.readPatienceMs());
  }

  private void begin(RowRead read) {
    if (isReady(read)) {
      queues.send(read.usedAssignment().server(), List.of(read));
    } else {
      retries.find(read, this::queue);
    }
  }

  /** Whether the process knows a server for the row and may use it. */
  private boolean isReady(RowRead read) {
    Assignment known = regions.usableAssignmentOf(read.row(), read.isOwn());
    read.useAssignment(known);
    return known != null;
  }

  private void queue(RowRead read) {
    queues.send(read.usedAssignment().server(), List.of(read));
  }

  /** Reads rows, each at a moment of its own; fails when one of them does. */
  public CompletableFuture<List<RowState>> readLater(List<byte[]> rows) {
    if (rows.size() == 1) {
      return readLater(rows.get(0)).thenApply(List::of);
    }
    client.noteWaitedFor();
    List<RowRead> all = rows.stream().map(this::newRead).toList();
    Map<ServerName, List<RowRead>> servers = new LinkedHashMap<>();
    for (RowRead read : all) {
      if (isReady(read)) {
        servers
            .computeIfAbsent(read.usedAssignment().server(), server -> new ArrayList<>(rows.size()))
            .add(read);
      } else {
        retries.find(read, this::queue);
      }
    }
    servers.forEach(queues::send);
    return CompletableFuture.allOf(
            all.stream().map(RowRead::state).toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(read -> read.state().join()).toList());
  }

  private CompletableFuture<Void> send(ServerName server, List<RowRead> reads) {
    SharedRead request = new SharedRead(reads, client.coprocessor());
    HBaseRpcController controller = client.newController();
    CompletableFuture<Void> back = new CompletableFuture<>();
    reads.forEach(read -> read.awaitProof(false));
    client.noteSent();
    long sentNs = System.nanoTime();
    try {
      client
          .server(server)
          .multi(
              controller,
              request.request(),
              response ->
                  client.continueAfter(
                      controller,
                      () -> {
                        if (back.isDone()) {
                          return; // the reads were sent again
                        }
                        try {
                          take(request, controller, response);
                        } finally {
                          back.complete(null);
                        }
                      }));
    } catch (IOException e) {
      LOG.debug("A server cannot be asked server={}", server, e);
      reads.forEach(read -> read.note(e));
      back.complete(null);
    }
    return bounded(back)
        .thenRun(
            () -> {
              request.unproven().forEach((by, answers) -> prove(by, answers, sentNs));
              for (RowRead read : reads) {
                if (!read.isDone() && !read.awaitsProof()) {
                  retries.again(read, controller.getFailed(), this::queue);
                }
              }
            });
  }

  /** HBase's client keeps the limit itself; this one is for what it forgets. */
  private CompletableFuture<Void> bounded(CompletableFuture<Void> request) {
    CompletableFuture<Void> over = new CompletableFuture<>();
    request
        .orTimeout(2L * client.options().rpcTimeoutMs(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (nothing, timeout) -> {
              if (timeout == null) {
                over.complete(null);
              } else {
                client.callbacks().execute(() -> over.complete(null));
              }
            });
    return over;
  }

  private void take(SharedRead request, HBaseRpcController controller, MultiResponse response) {
    if (controller.failed()) {
      return;
    }
    try {
      request.complete(response, controller.cellScanner(), regions.assignments()::mayRelyOn);
    } catch (IOException | RuntimeException e) {
      LOG.warn("An answer of HBase makes no sense, and is asked for again", e);
    }
  }

  private void prove(Assignment by, List<SharedRead.Unproven> answers, long sentNs) {
    prover
        .prove(by, sentNs)
        .thenAccept(
            isProven -> {
              for (SharedRead.Unproven answer : answers) {
                if (isProven) {
                  answer.take().run();
                } else {
                  retries.again(answer.read(), null, this::queue);
                }
              }
            });
  }
}
