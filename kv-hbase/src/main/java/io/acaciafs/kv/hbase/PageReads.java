package io.acaciafs.kv.hbase;

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

/**
 * Reads pages of rows: each is one request to the server of one region, past HBase's client, which
 * would go from one server to another without a word. Safe for use by many threads; futures
 * complete on threads of the network: do not block there.
 */
final class PageReads {
  private final Cluster cluster;
  private final ReadRetries searches;

  PageReads(Cluster cluster, ReadRetries searches) {
    this.cluster = cluster;
    this.searches = searches;
  }

  /**
   * Reads from the first row of a scan to its last, its limit or the end of a region; all rows are
   * of one moment that is not before this call.
   *
   * @param isOwn whether it may meet rows of which others were perhaps not told
   * @param unproven told of what is answered without a proof; null to have all proven
   */
  CompletableFuture<PageRead.Page> readLater(
      Scan scan, boolean isOwn, Consumer<UnprovenRead> unproven) {
    cluster.noteWaitedFor();
    PageRead read = new PageRead(scan, isOwn, unproven, cluster.readPatienceMs());
    Assignment known = cluster.usableAssignmentOf(read.row(), isOwn);
    read.goBy(known);
    if (known == null) {
      searches.find(read, this::send);
    } else {
      send(read);
    }
    return read.page();
  }

  private void send(PageRead read) {
    Assignment by = read.assignment();
    HBaseRpcController controller = cluster.newController();
    cluster.noteSent();
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
      cluster
          .server(by.server())
          .scan(
              controller,
              request,
              response ->
                  cluster.goOn(
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
    back.orTimeout(2L * cluster.options().rpcTimeoutMs(), TimeUnit.MILLISECONDS)
        .whenComplete(
            (response, failure) -> {
              if (failure == null) {
                take(read, by, controller, response, sentNs);
              } else {
                searches.again(read, Failures.causeOf(failure), this::send);
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
      searches.again(read, e, this::send);
      return;
    }
    boolean hasMore = response.getMoreResultsInRegion();
    if (!read.isOwn() && cluster.mayRelyOn(by)) {
      read.take(by, rows, hasMore);
      return;
    }
    if (read.unproven() != null) {
      read.unproven().accept(new UnprovenRead(by, sentNs, System.nanoTime()));
      read.take(by, rows, hasMore);
      return;
    }
    cluster
        .prove(by, sentNs)
        .thenAccept(
            isProven -> {
              if (isProven) {
                read.take(by, rows, hasMore);
              } else {
                searches.again(read, null, this::send);
              }
            });
  }
}
