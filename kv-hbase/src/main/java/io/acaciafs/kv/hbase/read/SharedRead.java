package io.acaciafs.kv.hbase.read;

import io.acaciafs.hbase.protocol.ReadReply;
import io.acaciafs.hbase.protocol.ReadRequest;
import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.hbase.protocol.StoredPage;
import io.acaciafs.hbase.protocol.StoredRow;
import io.acaciafs.kv.hbase.client.CoprocessorMessages;
import io.acaciafs.kv.hbase.client.CoprocessorUse;
import io.acaciafs.kv.hbase.region.Assignment;
import java.io.IOException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * One request that reads rows and pages of one region server, each at a moment of its own: HBase's
 * MultiRequest (Client.proto). The coprocessor answers what is of one region together, HBase itself
 * each row by a Get; pages are for the coprocessor alone. For one thread at a time.
 */
final class SharedRead {
  private final Map<Assignment, List<PendingRead>> regions = new LinkedHashMap<>();

  /** What was answered, and has to be proven before it counts. */
  private final Map<Assignment, List<Unproven>> unproven = new IdentityHashMap<>(0);

  private final CoprocessorUse coprocessor;

  /** Whether rows go to the coprocessor. */
  private final boolean usesCoprocessor;

  /**
   * An answer that counts if the server had the region when it gave it.
   *
   * @param take has it count
   */
  record Unproven(PendingRead read, Runnable take) {}

  SharedRead(List<PendingRead> reads, CoprocessorUse coprocessor) {
    this.coprocessor = coprocessor;
    this.usesCoprocessor = coprocessor.isOn();
    for (PendingRead read : reads) {
      regions.computeIfAbsent(read.assignment(), region -> new ArrayList<>(reads.size())).add(read);
    }
  }

  ClientProtos.MultiRequest request() {
    ClientProtos.MultiRequest.Builder request = ClientProtos.MultiRequest.newBuilder();
    regions.forEach((by, reads) -> request.addRegionAction(action(by, reads)));
    return request.build();
  }

  private ClientProtos.RegionAction action(Assignment by, List<PendingRead> reads) {
    ClientProtos.RegionAction.Builder action =
        ClientProtos.RegionAction.newBuilder()
            .setRegion(
                RequestConverter.buildRegionSpecifier(
                    RegionSpecifierType.REGION_NAME, by.region().getRegionName()));
    for (int i = 0; i < reads.size(); i++) {
      if (reads.get(i) instanceof RowRead read && !isForCoprocessor(read)) {
        ByteString row = UnsafeByteOperations.unsafeWrap(read.row());
        action.addAction(
            ClientProtos.Action.newBuilder()
                .setIndex(i)
                .setGet(ClientProtos.Get.newBuilder().setRow(row).addColumn(read.column())));
      }
    }
    ReadRequest forCoprocessor =
        new ReadRequest(
            rowsForCoprocessor(reads).stream().map(PendingRead::row).toList(),
            pages(reads).stream().map(page -> page.requestWithin(by)).toList());
    byte[] anyRow = forCoprocessor.anyRow();
    if (anyRow != null) {
      action.addAction(
          ClientProtos.Action.newBuilder()
              .setIndex(reads.size())
              .setServiceCall(
                  CoprocessorMessages.call(anyRow, RegionService.READ, forCoprocessor.encode())));
    }
    return action.build();
  }

  private List<RowRead> rowsForCoprocessor(List<PendingRead> reads) {
    List<RowRead> rows = new ArrayList<>(reads.size());
    for (PendingRead read : reads) {
      if (read instanceof RowRead row && isForCoprocessor(row)) {
        rows.add(row);
      }
    }
    return rows;
  }

  private static List<PageRead> pages(List<PendingRead> reads) {
    List<PageRead> pages = new ArrayList<>(0);
    for (PendingRead read : reads) {
      if (read instanceof PageRead page) {
        pages.add(page);
      }
    }
    return pages;
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
    for (Map.Entry<Assignment, List<PendingRead>> region : regions.entrySet()) {
      if (next == response.getRegionActionResultCount()) {
        return;
      }
      complete(region.getKey(), region.getValue(), response, next++, cells, isReliable);
    }
  }

  private void complete(
      Assignment by,
      List<PendingRead> reads,
      ClientProtos.MultiResponse response,
      int index,
      CellScanner cells,
      Predicate<Assignment> isReliable)
      throws IOException {
    ClientProtos.RegionActionResult result = response.getRegionActionResult(index);
    boolean isBelieved = isReliable.test(by);
    for (ClientProtos.ResultOrException row : result.getResultOrExceptionList()) {
      if (row.getIndex() == reads.size()) {
        completeByCoprocessor(by, reads, row, isBelieved);
        continue;
      }
      PendingRead read = reads.get(row.getIndex());
      if (row.hasResult() && read instanceof RowRead wanted) {
        Result answer = ProtobufUtil.toResult(row.getResult(), cells);
        answered(by, wanted, isBelieved, () -> wanted.take(answer));
      } else if (row.hasException()) {
        read.note(ProtobufUtil.toException(row.getException()));
      }
    }
    if (result.hasException()) {
      Throwable why = ProtobufUtil.toException(result.getException());
      reads.forEach(read -> read.note(why));
    }
  }

  private boolean isForCoprocessor(RowRead read) {
    return usesCoprocessor && read.isOfData();
  }

  private void completeByCoprocessor(
      Assignment by,
      List<PendingRead> reads,
      ClientProtos.ResultOrException answer,
      boolean isBelieved)
      throws IOException {
    List<RowRead> rows = rowsForCoprocessor(reads);
    List<PageRead> pages = pages(reads);
    if (answer.hasException()) {
      Throwable why = ProtobufUtil.toException(answer.getException());
      if (!(why instanceof IOException failure) || !coprocessor.noteIfMissing(failure)) {
        rows.forEach(read -> read.note(why));
        pages.forEach(read -> read.note(why));
      }
    } else if (answer.hasServiceResult()) {
      ByteString message = answer.getServiceResult().getValue().getValue();
      ReadReply reply = ReadReply.decode(CoprocessorMessages.unwrap(message));
      for (int i = 0; i < rows.size(); i++) {
        RowRead read = rows.get(i);
        StoredRow row = reply.rows().get(i);
        answered(by, read, isBelieved, () -> read.take(row));
      }
      if (reply.pages().isEmpty()) {
        pages.forEach(PageRead::useStock);
        return;
      }
      for (int i = 0; i < pages.size(); i++) {
        PageRead read = pages.get(i);
        StoredPage page = reply.pages().get(i);
        List<Result> found = PageRead.rowsOf(page);
        answered(by, read, isBelieved, () -> read.take(by, found, page.hasMore()));
      }
    }
  }

  private void answered(Assignment by, PendingRead read, boolean isBelieved, Runnable take) {
    if (isBelieved && !read.isOwn()) {
      take.run();
    } else {
      read.awaitProof(true);
      unproven.computeIfAbsent(by, same -> new ArrayList<>()).add(new Unproven(read, take));
    }
  }

  Map<Assignment, List<Unproven>> unproven() {
    return unproven;
  }
}
