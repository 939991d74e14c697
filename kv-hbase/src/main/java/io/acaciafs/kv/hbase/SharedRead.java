package io.acaciafs.kv.hbase;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
  private static final ClientProtos.Column DATA =
      ClientProtos.Column.newBuilder()
          .setFamily(UnsafeByteOperations.unsafeWrap(Columns.DATA))
          .build();

  private final Map<RegionInfo, List<RowRead>> regions = new LinkedHashMap<>();

  SharedRead(List<RowRead> reads) {
    for (RowRead read : reads) {
      regions
          .computeIfAbsent(read.region().getRegion(), region -> new ArrayList<>(reads.size()))
          .add(read);
    }
  }

  ClientProtos.MultiRequest request() {
    ClientProtos.MultiRequest.Builder request = ClientProtos.MultiRequest.newBuilder();
    regions.forEach((region, reads) -> request.addRegionAction(action(region, reads)));
    return request.build();
  }

  private static ClientProtos.RegionAction action(RegionInfo region, List<RowRead> reads) {
    ClientProtos.RegionAction.Builder action =
        ClientProtos.RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(
                    RegionSpecifierType.REGION_NAME, region.getRegionName()));
    for (int i = 0; i < reads.size(); i++) {
      ByteString row = UnsafeByteOperations.unsafeWrap(reads.get(i).row());
      action.addAction(
          ClientProtos.Action.newBuilder()
              .setIndex(i)
              .setGet(ClientProtos.Get.newBuilder().setRow(row).addColumn(DATA)));
    }
    return action.build();
  }

  /**
   * Completes the reads that the answer has a row for; others have moved, or were too much for one
   * answer.
   *
   * @param cells what the rows consist of
   */
  void complete(ClientProtos.MultiResponse response, CellScanner cells) throws IOException {
    int next = 0;
    for (List<RowRead> reads : regions.values()) {
      if (next == response.getRegionActionResultCount()) {
        return;
      }
      ClientProtos.RegionActionResult result = response.getRegionActionResult(next++);
      for (ClientProtos.ResultOrException row : result.getResultOrExceptionList()) {
        if (row.hasResult()) {
          complete(reads.get(row.getIndex()), ProtobufUtil.toResult(row.getResult(), cells));
        }
      }
    }
  }

  private static void complete(RowRead read, Result result) {
    try {
      read.state().complete(RowState.of(result));
    } catch (RuntimeException e) { // a row that makes no sense is nobody else's fault
      read.state().completeExceptionally(e);
    }
  }
}
