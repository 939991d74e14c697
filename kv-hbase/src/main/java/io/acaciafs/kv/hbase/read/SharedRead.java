package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.region.Assignment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One request that reads rows of one region server, each at a moment of its own: HBase's
 * MultiRequest (Client.proto). For one thread at a time.
 */
final class SharedRead {
  private final Map<Assignment, List<RowRead>> regions = new LinkedHashMap<>();

  /** What was answered, and has to be proven before it counts. */
  private final Map<Assignment, List<Unproven>> unproven = new IdentityHashMap<>(0);

  /** An answer that counts if the server had the region when it gave it. */
  record Unproven(RowRead read, Result answer) {}

  SharedRead(List<RowRead> reads) {
    for (RowRead read : reads) {
      regions.computeIfAbsent(read.assignment(), region -> new ArrayList<>(reads.size())).add(read);
    }
  }

  ClientProtos.MultiRequest request() {
    ClientProtos.MultiRequest.Builder request = ClientProtos.MultiRequest.newBuilder();
    regions.forEach((by, reads) -> request.addRegionAction(action(by.region(), reads)));
    return request.build();
  }

  private static ClientProtos.RegionAction action(RegionInfo region, List<RowRead> reads) {
    ClientProtos.RegionAction.Builder action =
        ClientProtos.RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(
                    RegionSpecifierType.REGION_NAME, region.getRegionName()));
    for (int i = 0; i < reads.size(); i++) {
      RowRead read = reads.get(i);
      ByteString row = UnsafeByteOperations.unsafeWrap(read.row());
      action.addAction(
          ClientProtos.Action.newBuilder()
              .setIndex(i)
              .setGet(ClientProtos.Get.newBuilder().setRow(row).addColumn(read.column())));
    }
    return action.build();
  }

  /**
   * Completes the reads that the answer has a row for; others have moved, or were too much for one
   * answer.
   *
   * @param cells what the rows consist of
   * @param isReliable called when the answer is here: whether it is believed without a proof
   */
  void complete(
      ClientProtos.MultiResponse response, CellScanner cells, Predicate<Assignment> isReliable)
      throws IOException {
    int next = 0;
    for (Map.Entry<Assignment, List<RowRead>> region : regions.entrySet()) {
      if (next == response.getRegionActionResultCount()) {
        return;
      }
      complete(region.getKey(), region.getValue(), response, next++, cells, isReliable);
    }
  }

  private void complete(
      Assignment by,
      List<RowRead> reads,
      ClientProtos.MultiResponse response,
      int index,
      CellScanner cells,
      Predicate<Assignment> isReliable)
      throws IOException {
    ClientProtos.RegionActionResult result = response.getRegionActionResult(index);
    boolean isBelieved = isReliable.test(by);
    for (ClientProtos.ResultOrException row : result.getResultOrExceptionList()) {
      RowRead read = reads.get(row.getIndex());
      if (row.hasResult()) {
        Result answer = ProtobufUtil.toResult(row.getResult(), cells);
        if (isBelieved && !read.isOwn()) {
          read.take(answer);
        } else {
          read.awaitProof(true);
          unproven
              .computeIfAbsent(by, same -> new ArrayList<>(reads.size()))
              .add(new Unproven(read, answer));
        }
      } else if (row.hasException()) {
        read.note(ProtobufUtil.toException(row.getException()));
      }
    }
    if (result.hasException()) {
      Throwable why = ProtobufUtil.toException(result.getException());
      reads.forEach(read -> read.note(why));
    }
  }

  Map<Assignment, List<Unproven>> unproven() {
    return unproven;
  }
}
