package io.acaciafs.hbase.coprocessor;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.Condition;
import io.acaciafs.hbase.protocol.Family;
import io.acaciafs.hbase.protocol.StoredCell;
import io.acaciafs.hbase.protocol.StoredRow;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.junit.jupiter.api.Test;

/** What transactions see of a row, and what is written in the end. */
class RowEditTest {
  private static final byte[] ROW = {1};
  private static final byte[] V = {'v'};
  private static final byte[] S = {'s'};
  private static final long NOW = 1_000;

  @Test
  void conditionsSeeWhatChangesBeforeThemMade() {
    RowEdit edit = edit();
    assertThat(edit.holds(condition(Condition.Kind.ABSENT, ""))).isTrue();
    edit.apply(put(1, "0abc"), NOW);
    assertThat(edit.holds(condition(Condition.Kind.ABSENT, ""))).isFalse();
    assertThat(edit.holds(condition(Condition.Kind.EQUAL, "0abc"))).isTrue();
    assertThat(edit.holds(condition(Condition.Kind.PREFIX, "0a"))).isTrue();
    assertThat(edit.holds(condition(Condition.Kind.PREFIX_BELOW, "1"))).isTrue();
    assertThat(edit.holds(condition(Condition.Kind.PREFIX_BELOW, "0"))).isFalse();
  }

  @Test
  void aCellThatIsNotThereHoldsForNoValue() {
    RowEdit edit = edit();
    for (Condition.Kind kind :
        List.of(Condition.Kind.EQUAL, Condition.Kind.PREFIX, Condition.Kind.PREFIX_BELOW)) {
      assertThat(edit.holds(condition(kind, "2"))).as(kind.name()).isFalse();
    }
  }

  @Test
  void earlierTimestampsAreHiddenFromAbsentFromOne() {
    RowEdit edit = edit(cell(V, 0, "base"));
    assertThat(edit.holds(condition(Condition.Kind.ABSENT_FROM_ONE, ""))).isTrue();
    assertThat(edit.holds(condition(Condition.Kind.ABSENT, ""))).isFalse();
  }

  @Test
  void eachCellIsWrittenOnceAsItIsInTheEnd() {
    RowEdit edit = edit(cell(V, 1, "old"));
    edit.apply(put(1, "first"), NOW);
    edit.apply(delete(1), NOW);
    edit.apply(put(1, "last"), NOW);
    assertThat(written(edit)).containsExactly("put v@1=last");
    assertThat(edit.content().cell(V).value()).isEqualTo(bytes("last"));
  }

  @Test
  void whatWasNeverStoredNeedsNoDelete() {
    RowEdit edit = edit();
    edit.apply(put(1, "first"), NOW);
    edit.apply(delete(1), NOW);
    assertThat(written(edit)).isEmpty();
    assertThat(edit.content()).isSameAs(StoredRow.EMPTY);
  }

  @Test
  void aDeleteRemovesUpToItsTimestamp() {
    RowEdit edit = edit(cell(V, 5, "later"));
    edit.apply(delete(1), NOW);
    assertThat(written(edit)).isEmpty();
    edit.apply(delete(Long.MAX_VALUE - 1), NOW);
    assertThat(written(edit)).containsExactly("delete v@5");
  }

  @Test
  void aLaterTimestampHidesAnEarlierPut() {
    RowEdit edit = edit(cell(V, 9, "later"));
    edit.apply(put(8, "hidden"), NOW);
    assertThat(written(edit)).isEmpty();
  }

  /** HBase would hide it behind the cell that is still there. */
  @Test
  void aPutBelowWhatIsRemovedWithItIsRefused() {
    RowEdit edit = edit(cell(V, 9, "removed"));
    assertThat(edit.takes(put(8, "hidden"))).isTrue();
    edit.apply(delete(9), NOW);
    assertThat(edit.takes(put(8, "lost"))).isFalse();
    assertThat(edit.takes(put(9, "kept"))).isTrue();
  }

  @Test
  void incrementsAddUpAndNeverGoBackInTime() {
    RowEdit edit = edit(new StoredCell(S, NOW + 7, longBytes(40)));
    Change one = new Change(ROW, Change.Kind.ADD, Family.DATA, S, 0, longBytes(1));
    edit.apply(one, NOW);
    edit.apply(one, NOW);
    StoredCell sum = edit.content().cell(S);
    assertThat(sum.value()).isEqualTo(longBytes(42));
    assertThat(sum.timestamp()).isEqualTo(NOW + 7);
  }

  @Test
  void countersBeginWhereThereAreNone() {
    RowEdit edit = edit();
    byte[] five = {1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 5};
    Change change = new Change(ROW, Change.Kind.ADD_COUNTERS, Family.DATA, V, 1, five);
    edit.apply(change, NOW);
    edit.apply(change, NOW);
    assertThat(edit.content().cell(V).value()).containsExactly(1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 10);
    assertThat(edit.content().cell(V).timestamp()).isEqualTo(1);
    assertThat(edit.holds(condition(Condition.Kind.ABSENT_OR_PREFIX, "\1"))).isTrue();
    assertThat(edit.holds(condition(Condition.Kind.ABSENT_OR_PREFIX, "\0"))).isFalse();
    assertThat(edit().holds(condition(Condition.Kind.ABSENT_OR_PREFIX, "\1"))).isTrue();
  }

  private static RowEdit edit(StoredCell... cells) {
    return new RowEdit(ROW, Family.DATA, new StoredRow(List.of(cells)));
  }

  private static List<String> written(RowEdit edit) {
    List<Mutation> mutations = new ArrayList<>();
    edit.addTo(mutations);
    List<String> texts = new ArrayList<>();
    for (Mutation mutation : mutations) {
      for (Cell cell : mutation.getFamilyCellMap().get(Family.DATA.bytes())) {
        String place = new String(CellUtil.cloneQualifier(cell), StandardCharsets.US_ASCII);
        String value = new String(CellUtil.cloneValue(cell), StandardCharsets.US_ASCII);
        texts.add(
            mutation instanceof Put
                ? "put " + place + "@" + cell.getTimestamp() + "=" + value
                : "delete " + place + "@" + cell.getTimestamp());
        assertThat(mutation).isInstanceOfAny(Put.class, Delete.class);
      }
    }
    return texts;
  }

  private static Condition condition(Condition.Kind kind, String operand) {
    return new Condition(ROW, Family.DATA, V, kind, bytes(operand));
  }

  private static Change put(long timestamp, String value) {
    return new Change(ROW, Change.Kind.PUT, Family.DATA, V, timestamp, bytes(value));
  }

  private static Change delete(long timestamp) {
    return new Change(ROW, Change.Kind.DELETE, Family.DATA, V, timestamp, new byte[0]);
  }

  private static StoredCell cell(byte[] qualifier, long timestamp, String value) {
    return new StoredCell(qualifier, timestamp, bytes(value));
  }

  private static byte[] longBytes(long value) {
    return ByteBuffer.allocate(8).putLong(value).array();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
