package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.RequestLimiter;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.RegionLocator;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends reads to region servers. Reads of one server share requests ({@link ReadQueues}), which are
 * sent once, past HBase's client, so the process knows which server answered. If the region moved
 * or the server ended, {@link ReadRetries} repeats the read until its time is over. Pages share
 * requests where the coprocessor answers them; {@link ScanRequests} sends the others. Safe for use
 * by many threads; reads complete on threads of the network: do not block there.
 */
public final class SharedReads {
  private static final Logger LOG = LoggerFactory.getLogger(SharedReads.class);

  private final ClusterClient client;
  private final RegionLocator regions;
  private final AssignmentProver prover;
  private final ReadRetries retries;
  private final ScanRequests scans;
  private final ReadQueues queues;

  public SharedReads(
      ClusterClient client,
      RegionLocator regions,
      AssignmentProver prover,
      ReadRetries retries,
      ScanRequests scans,
      RequestLimiter limiter) {
    this.client = client;
    this.regions = regions;
    this.prover = prover;
    this.retries = retries;
    this.scans = scans;
    this.queues = new ReadQueues(this::request, limiter, Thread::yield);
  }

  /** Has something read. */
  void begin(PendingRead read) {
    if (isReady(read)) {
      send(read);
    } else {
      retries.find(read, this::send);
    }
  }

  /** Has rows read that one call wants: those of one server by one request. */
  void begin(List<RowRead> rows) {
    Map<ServerName, List<RowRead>> servers = new LinkedHashMap<>();
    for (RowRead read : rows) {
      if (isReady(read)) {
        servers
            .computeIfAbsent(read.usedAssignment().server(), server -> new ArrayList<>(rows.size()))
            .add(read);
      } else {
        retries.find(read, this::send);
      }
    }
    servers.forEach(queues::send);
  }

  /** Whether the process knows a server for the read and may use it. */
  private boolean isReady(PendingRead read) {
    Assignment known = regions.usableAssignmentOf(read.row(), read.isOwn());
    read.useAssignment(known);
    return known != null;
  }

  /** Sends a read to the server of its assignment, and again until its time is over. */
  private void send(PendingRead read) {
    if (read instanceof PageRead page
        && !(client.coprocessor().isOn() && page.isForCoprocessor())) {
      scans.send(page);
    } else {
      queues.send(read.usedAssignment().server(), List.of(read));
    }
  }

  private CompletableFuture<Void> request(ServerName server, List<PendingRead> reads) {
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
              for (PendingRead read : reads) {
                if (!read.isDone() && !read.awaitsProof()) {
                  retries.again(read, controller.getFailed(), this::send);
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
    List<SharedRead.Unproven> toProve = new ArrayList<>(answers.size());
    for (SharedRead.Unproven answer : answers) {
      Consumer<UnprovenRead> caller =
          answer.read() instanceof PageRead page ? page.unproven() : null;
      if (caller != null) {
        caller.accept(new UnprovenRead(by, sentNs, System.nanoTime()));
        answer.take().run();
      } else {
        toProve.add(answer);
      }
    }
    if (toProve.isEmpty()) {
      return;
    }
    prover
        .prove(by, sentNs)
        .thenAccept(
            isProven -> {
              for (SharedRead.Unproven answer : toProve) {
                if (isProven) {
                  answer.take().run();
                } else {
                  retries.again(answer.read(), null, this::send);
                }
              }
            });
  }
}
