package io.acaciafs.kv.hbase.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.hbase.protocol.ReadReply;
import io.acaciafs.hbase.protocol.RegionService;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredPage;
import io.acaciafs.hbase.protocol.StoredRow;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.client.CoprocessorMessages;
import io.acaciafs.kv.hbase.client.CoprocessorUse;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.schema.Columns;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellScanner;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.shaded.protobuf.ResponseConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiResponse;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionActionResult;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.ResultOrException;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

/** What is asked for, and whose rows an answer has. */
class SharedReadTest {
  private static final Assignment LOW = assignment("", "m");
  private static final Assignment HIGH = assignment("m", "");

  private static final CoprocessorUse NO_COPROCESSOR = new CoprocessorUse(() -> 0);

  /** A row that counts with a proof alone. */
  private static final String OWN = "own";

  private Predicate<Assignment> isReliable = by -> true;
  private final RowRead first = read(LOW, "a");
  private final RowRead second = read(HIGH, "x");
  private final RowRead third = read(LOW, "b");
  private final PageRead page = page(LOW, "b");
  private final SharedRead request = new SharedRead(List.of(first, second, third), NO_COPROCESSOR);

  @Test
  void asksEachRegionForItsRows() {
    MultiRequest asked = request.request();
    assertThat(asked.getRegionActionList())
        .extracting(region -> region.getRegion().getValue().toByteArray())
        .containsExactly(LOW.region().getRegionName(), HIGH.region().getRegionName());
    assertThat(asked.getRegionAction(0).getActionList())
        .extracting(action -> action.getGet().getRow().toStringUtf8())
        .containsExactly("a", "b");
    assertThat(asked.getRegionAction(1).getActionList())
        .extracting(action -> action.getGet().getRow().toStringUtf8())
        .containsExactly("x");
  }

  @Test
  void everybodyHearsOfHisRow() throws IOException {
    answer(List.of(region(row(0, 1), row(1, 0)), region(row(0, 1))), cell("a", 1), cell("x", 2));
    assertThat(value(first)).containsExactly(1);
    assertThat(value(second)).containsExactly(2);
    assertThat(third.state().join()).isSameAs(RowState.ABSENT);
  }

  @Test
  void whoseRegionHasMovedHearsNothing() throws IOException {
    RegionActionResult moved =
        RegionActionResult.newBuilder()
            .setException(ResponseConverter.buildException(new NotServingRegionException()))
            .build();
    answer(List.of(moved, region(row(0, 1))), cell("x", 2));
    assertThat(value(second)).containsExactly(2);
    assertThat(List.of(first, third)).noneMatch(read -> read.state().isDone());
  }

  @Test
  void whoseRowIsRefusedHearsNothing() throws IOException {
    ResultOrException refused =
        ResultOrException.newBuilder()
            .setIndex(0)
            .setException(ResponseConverter.buildException(new IOException("too large")))
            .build();
    answer(List.of(region(refused, row(1, 1)), region(row(0, 0))), cell("b", 3));
    assertThat(first.state()).isNotDone();
    assertThat(value(third)).containsExactly(3);
    assertThat(second.state()).isCompletedWithValue(RowState.ABSENT);
  }

  @Test
  void aRowThatMakesNoSenseFailsAlone() throws IOException {
    KeyValue nonsense =
        new KeyValue(bytes("a"), Columns.DATA, Columns.VALUE, Columns.TIMESTAMP, new byte[] {99});
    answer(List.of(region(row(0, 1), row(1, 1)), region(row(0, 0))), nonsense, cell("b", 3));
    assertThat(first.state())
        .failsWithin(0, TimeUnit.SECONDS)
        .withThrowableThat()
        .withCauseInstanceOf(StoreException.class);
    assertThat(value(third)).containsExactly(3);
  }

  /** The answering server may have lost the region before. */
  @Test
  void whatIsNotReliableHasToBeProven() throws IOException {
    isReliable = by -> by == HIGH;
    answer(
        List.of(region(row(0, 1), row(1, 1)), region(row(0, 1))),
        cell("a", 1),
        cell("b", 2),
        cell("x", 3));
    assertThat(value(second)).containsExactly(3);
    assertThat(List.of(first, third)).noneMatch(read -> read.state().isDone());
    assertThat(request.unproven().get(LOW))
        .extracting(SharedRead.Unproven::read)
        .containsExactly(first, third);
    request.unproven().get(LOW).forEach(answer -> answer.take().run());
    assertThat(value(third)).containsExactly(2);
  }

  @Test
  void rowsByWhichProcessesKnowEachOtherHaveToBeProvenAlways() throws IOException {
    RowRead own = read(LOW, OWN);
    SharedRead asked = new SharedRead(List.of(own), NO_COPROCESSOR);
    asked.complete(
        MultiResponse.newBuilder().addRegionActionResult(region(row(0, 1))).build(),
        CellUtil.createCellScanner(new Cell[] {cell(OWN, 1)}),
        by -> true);
    assertThat(own.state()).isNotDone();
    assertThat(asked.unproven()).containsOnlyKeys(LOW);
  }

  @Test
  void anAnswerThatIsTooShortLeavesTheOthers() throws IOException {
    answer(List.of(region(row(0, 0))));
    assertThat(first.state()).isDone();
    assertThat(List.of(second, third)).noneMatch(read -> read.state().isDone());
  }

  @Test
  void aCoprocessorAnswersRowsAndPagesOfARegionTogether() throws IOException {
    SharedRead shared = new SharedRead(List.of(first, page), coprocessor());
    List<ClientProtos.Action> asked = shared.request().getRegionAction(0).getActionList();
    assertThat(asked).hasSize(1);
    assertThat(asked.get(0).getServiceCall().getServiceName()).isEqualTo(RegionService.NAME);
    StoredPage.Builder found = new StoredPage.Builder();
    found.add(bytes("b"), stored(2));
    found.add(bytes("c"), stored(3));
    complete(shared, new ReadReply(List.of(stored(1)), List.of(found.build(true))));
    assertThat(value(first)).containsExactly(1);
    assertThat(page.page().join().rows())
        .extracting(row -> new String(row.getRow(), StandardCharsets.US_ASCII))
        .containsExactly("b", "c");
    assertThat(RowState.of(page.page().join().rows().get(1)).value()).containsExactly(3);
    assertThat(page.page().join().next()).isEqualTo(new byte[] {'c', 0});
  }

  @Test
  void aPageThatAnOlderCoprocessorDoesNotKnowGoesToHBasesScanner() throws IOException {
    SharedRead shared = new SharedRead(List.of(first, page), coprocessor());
    assertThat(page.isForCoprocessor()).isTrue();
    complete(shared, new ReadReply(List.of(stored(1)), List.of()));
    assertThat(value(first)).containsExactly(1);
    assertThat(page.isDone()).isFalse();
    assertThat(page.isForCoprocessor()).isFalse();
  }

  private static CoprocessorUse coprocessor() {
    CoprocessorUse use = new CoprocessorUse(() -> 0);
    use.loadedByTable(true);
    return use;
  }

  private static StoredRow stored(int value) {
    byte[] content = new RowCell.Value(5, new byte[] {(byte) value}).encode();
    return new StoredRow(List.of(new StoredCell(Columns.VALUE, 1, content)));
  }

  /** The coprocessor's answer stands behind those to single reads. */
  private static void complete(SharedRead shared, ReadReply reply) throws IOException {
    ByteString message =
        CoprocessorMessages.call(bytes("a"), RegionService.READ, reply.encode()).getRequest();
    ResultOrException answer =
        ResultOrException.newBuilder()
            .setIndex(2)
            .setServiceResult(
                ClientProtos.CoprocessorServiceResult.newBuilder()
                    .setValue(HBaseProtos.NameBytesPair.newBuilder().setName("").setValue(message)))
            .build();
    shared.complete(
        MultiResponse.newBuilder().addRegionActionResult(region(answer)).build(),
        CellUtil.createCellScanner(new Cell[0]),
        by -> true);
  }

  private static PageRead page(Assignment by, String from) {
    Scan scan =
        new Scan()
            .withStartRow(bytes(from))
            .withStopRow(bytes("k"))
            .addFamily(Columns.DATA)
            .setLimit(10);
    PageRead page = new PageRead(scan, false, null, 1_000);
    page.useAssignment(by);
    return page;
  }

  private void answer(List<RegionActionResult> regions, Cell... cells) throws IOException {
    CellScanner scanner = CellUtil.createCellScanner(cells);
    request.complete(
        MultiResponse.newBuilder().addAllRegionActionResult(regions).build(), scanner, isReliable);
  }

  private static RegionActionResult region(ResultOrException... rows) {
    return RegionActionResult.newBuilder().addAllResultOrException(List.of(rows)).build();
  }

  /** Cells come beside the answer. */
  private static ResultOrException row(int index, int cells) {
    return ResultOrException.newBuilder()
        .setIndex(index)
        .setResult(ClientProtos.Result.newBuilder().setAssociatedCellCount(cells))
        .build();
  }

  private static Cell cell(String row, int value) {
    byte[] content = new RowCell.Value(5, new byte[] {(byte) value}).encode();
    return new KeyValue(bytes(row), Columns.DATA, Columns.VALUE, Columns.TIMESTAMP, content);
  }

  private static byte[] value(RowRead read) {
    return read.state().join().value();
  }

  private static RowRead read(Assignment by, String row) {
    RowRead read = new RowRead(bytes(row), row.equals(OWN), 1_000);
    read.useAssignment(by);
    return read;
  }

  private static Assignment assignment(String start, String end) {
    RegionInfo region =
        RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
            .setStartKey(bytes(start))
            .setEndKey(bytes(end))
            .build();
    return new Assignment(new HRegionLocation(region, ServerName.valueOf("one", 1, 1)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
