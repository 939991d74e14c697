package io.acaciafs.kv.hbase.region;

import io.acaciafs.hbase.protocol.CommitReply;
import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.CoprocessorMessages;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.Outcome;
import io.acaciafs.kv.hbase.client.RequestSender;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ipc.HBaseRpcController;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceCall;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceResponse;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;

/**
 * Sends conditional requests without a fencing token: all of them while the process is not bound to
 * a member row, later only those that manage the tokens. Their region's assignment needs no
 * announcement. Safe for use by many threads.
 */
public final class UnfencedSender implements RequestSender {
  private static final String STOCK_SERVICE = "MultiRowMutationService";
  private static final String STOCK_METHOD = "MutateRows";

  private final ClusterClient client;
  private final Assignments assignments;

  public UnfencedSender(ClusterClient client, RegionLocator regions) {
    this.client = client;
    this.assignments = regions.assignments();
  }

  @Override
  public CompletableFuture<Outcome> send(HRegionLocation region, RegionRequest request) {
    Assignment by = region.getServerName() == null ? null : assignments.of(region);
    if (by == null) {
      return CompletableFuture.completedFuture(
          new Outcome.NotServed(new IOException("A region is on its way between servers")));
    }
    client.noteSent();
    if (request.isAwaited()) {
      client.noteWaitedFor();
    }
    CompletableFuture<Outcome> outcome = new CompletableFuture<>();
    boolean relied = assignments.relies();
    long sentNs = System.nanoTime();
    HBaseRpcController controller = client.newController();
    try {
      client
          .server(by.server())
          .execService(
              controller,
              call(region, request),
              response ->
                  client.continueAfter(
                      controller,
                      () -> {
                        complete(outcome, request, controller, response);
                        noteWritten(by, outcome, relied, sentNs);
                      }));
    } catch (IOException e) {
      outcome.complete(new Outcome.NotServed(e));
    }
    return outcome;
  }

  private static void noteWritten(
      Assignment by, CompletableFuture<Outcome> outcome, boolean relied, long sentNs) {
    if (outcome.isCompletedExceptionally() || !(outcome.join() instanceof Outcome.Applied)) {
      return;
    }
    by.noteWritten(sentNs);
    if (relied && !by.isProven()) {
      by.noteProven();
    }
  }

  private static CoprocessorServiceRequest call(HRegionLocation region, RegionRequest request) {
    return CoprocessorMessages.request(
        region.getRegion(),
        request.hasTransactions()
            ? CoprocessorMessages.call(
                request.row(), RegionService.COMMIT, request.encodeForCoprocessor())
            : CoprocessorServiceCall.newBuilder()
                .setRow(ByteString.copyFrom(request.row()))
                .setServiceName(STOCK_SERVICE)
                .setMethodName(STOCK_METHOD)
                .setRequest(request.encode())
                .build());
  }

  private void complete(
      CompletableFuture<Outcome> outcome,
      RegionRequest request,
      HBaseRpcController controller,
      CoprocessorServiceResponse response) {
    if (controller.failed() && Failures.isReadOnly(controller.getFailed())) {
      outcome.completeExceptionally(
          new StoreException(
              "The table "
                  + client.options().table()
                  + " of HBase is read-only, so nothing was written; make it writable again",
              controller.getFailed()));
    } else {
      outcome.complete(
          controller.failed()
              ? outcomeOf(controller.getFailed())
              : outcomeOf(request, response.getValue().getValue()));
    }
  }

  private Outcome outcomeOf(IOException failure) {
    return Failures.isNotServed(failure) || client.coprocessor().noteIfMissing(failure)
        ? new Outcome.NotServed(failure)
        : new Outcome.Unknown(failure, null);
  }

  private static Outcome outcomeOf(RegionRequest request, ByteString answer) {
    if (!request.hasTransactions()) {
      // MutateRowsResponse: field 1, a boolean, is whether the conditions held.
      boolean held = answer.size() == 2 && answer.byteAt(0) == 8 && answer.byteAt(1) == 1;
      return held ? Outcome.APPLIED : Outcome.REFUSED;
    }
    try {
      CommitReply reply = CommitReply.decode(CoprocessorMessages.unwrap(answer));
      return reply.isHeld() ? new Outcome.Applied(reply.refused()) : Outcome.REFUSED;
    } catch (IOException | IllegalArgumentException e) {
      return new Outcome.Unknown(e, null);
    }
  }
}
