package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.Assignments;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;

/**
 * Reads pages by HBase's own scanner: each is one request to the server of one region, past HBase's
 * client, which would go from one server to another without a word. Safe for use by many threads;
 * futures complete on threads of the network: do not block there.
 */
public final class ScanRequests {
  private final ClusterClient client;
  private final Assignments assignments;
  private final AssignmentProver prover;
  private final ReadRetries retries;

  public ScanRequests(
      ClusterClient client, Assignments assignments, AssignmentProver prover, ReadRetries retries) {
    this.client = client;
    this.assignments = assignments;
    this.prover = prover;
    this.retries = retries;
  }

  /** Sends a read to the server of its assignment, and again until its time is over. */
  void send(PageRead read) {
    Assignment by = read.usedAssignment();
    HBaseRpcController controller = client.newController();
    client.noteSent();
    long sentNs = System.nanoTime();
    CompletableFuture<ClientProtos.ScanResponse> back = new CompletableFuture<>();
    try {
      Scan within = read.within(by);
      ClientProtos.ScanRequest request =
          RequestConverter.buildScanRequest(
                  by.region().getRegionName(), within, within.getLimit(), true)
              .toBuilder()
              .setClientHandlesPartials(false)
              .setClientHandlesHeartbeats(false)
              .build();
      client
          .server(by.server())
          .scan(
              controller,
              request,
              response ->
                  client.continueAfter(
                      controller,
                      () -> {
                        if (!controller.failed()) {
                          back.complete(response);
                        } else {
                          back.completeExceptionally(controller.getFailed());
                        }
                      }));
    } catch (IOException e) {
      back.completeExceptionally(e);
    }
    // HBase's client keeps the limit itself; this one is for what it forgets.
    back.orTimeout(2L * client.options().rpcTimeoutMs(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (response, failure) -> {
              if (failure == null) {
                take(read, by, controller, response, sentNs);
              } else {
                retries.again(read, Failures.causeOf(failure), this::send);
              }
            });
  }

  private void take(
      PageRead read,
      Assignment by,
      HBaseRpcController controller,
      ClientProtos.ScanResponse response,
      long sentNs) {
    List<Result> rows;
    try {
      Result[] results = ResponseConverter.getResults(controller.cellScanner(), response);
      rows = results == null ? List.of() : Arrays.asList(results);
    } catch (IOException | RuntimeException e) {
      retries.again(read, e, this::send);
      return;
    }
    boolean hasMore = response.getMoreResultsInRegion();
    if (!read.isOwn() && assignments.mayRelyOn(by)) {
      read.take(by, rows, hasMore);
      return;
    }
    if (read.unproven() != null) {
      read.unproven().accept(new UnprovenRead(by, sentNs, System.nanoTime()));
      read.take(by, rows, hasMore);
      return;
    }
    prover
        .prove(by, sentNs)
        .thenAccept(
            isProven -> {
              if (isProven) {
                read.take(by, rows, hasMore);
              } else {
                retries.again(read, null, this::send);
              }
            });
  }
}
