package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.AssignmentProver;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of rows: each is one request to the server of one region, past HBase's client, which
 * would go from one server to another without a word. Safe for use by many threads; futures
 * complete on threads of the network: do not block there.
 */
public final class PageReads {
  private final ClusterClient client;
  private final RegionLocator regions;
  private final Membership membership;
  private final AssignmentProver prover;
  private final ReadRetries retries;

  public PageReads(
      ClusterClient client,
      RegionLocator regions,
      Membership membership,
      AssignmentProver prover,
      ReadRetries retries) {
    this.client = client;
    this.regions = regions;
    this.membership = membership;
    this.prover = prover;
    this.retries = retries;
  }

  /**
   * Reads from the first row of a scan to its last, its limit or the end of a region; all rows are
   * of one moment that is not before this call.
   *
   * @param unproven receives a read of the member table that the caller has to prove; null to have
   *     all reads proven
   */
  CompletableFuture<PageRead.Page> readLater(Scan scan, @Nullable Consumer<UnprovenRead> unproven) {
    boolean isOwn = membership.meets(scan.getStartRow(), scan.getStopRow());
    return readLater(scan, isOwn, isOwn ? unproven : null);
  }

  /** The same of rows that processes write without an announcement; the read is always proven. */
  CompletableFuture<PageRead.Page> readProvenLater(Scan scan) {
    return readLater(scan, true, null);
  }

  private CompletableFuture<PageRead.Page> readLater(
      Scan scan, boolean isOwn, @Nullable Consumer<UnprovenRead> unproven) {
    client.noteWaitedFor();
    PageRead read = new PageRead(scan, isOwn, unproven, client.readPatienceMs());
    Assignment known = regions.usableAssignmentOf(read.row(), isOwn);
    read.useAssignment(known);
    if (known == null) {
      retries.find(read, this::send);
    } else {
      send(read);
    }
    return read.page();
  }

  private void send(PageRead read) {
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
    if (!read.isOwn() && regions.assignments().mayRelyOn(by)) {
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
