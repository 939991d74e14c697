package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which commits may be one request. */
class SharedRequestTest {
  private static final Table TABLE = new Table("rows", 1);

  private final SharedRequest group = new SharedRequest();

  @Test
  void additionsToTheSameCountersShareARequest() {
    assertThat(group.add(member(put(1), add(9, 1)))).isTrue();
    assertThat(group.add(member(put(2), add(9, 2)))).isTrue();
    assertThat(group.members()).hasSize(2);
  }

  @Test
  void whatIsAddedTogetherIsNotAddedToAMember() {
    RowPlan first = add(9, 1);
    group.add(member(first));
    group.add(member(add(9, 2)));
    assertThat(first.delta().sum(0)).isEqualTo(1);
  }

  @Test
  void settersOfTheSameMarkerShareARequest() {
    assertThat(group.add(member(mark(8), put(1)))).isTrue();
    assertThat(group.add(member(mark(8), put(2)))).isTrue();
    assertThat(group.add(member(put(8)))).as("an index row with content").isFalse();
  }

  @Test
  void aSecondWriterOfARowWaits() {
    assertThat(group.add(member(put(1)))).isTrue();
    assertThat(group.add(member(put(1)))).isFalse();
    assertThat(group.members()).hasSize(1);
  }

  @Test
  void aGuardOfARowThatAnotherCommitChangesWaits() {
    assertThat(group.add(member(put(1)))).isTrue();
    assertThat(group.add(member(guard(1, 5), put(2)))).isFalse();
    assertThat(group.add(member(add(9, 1)))).isTrue();
    assertThat(group.add(member(guard(9, 5), put(2)))).isFalse();
  }

  @Test
  void guardsOfTheSameStateShareARequest() {
    assertThat(group.add(member(guard(1, 5), put(2)))).isTrue();
    assertThat(group.add(member(guard(1, 5), put(3)))).isTrue();
    assertThat(group.add(member(guard(1, 6), put(4)))).as("cannot hold as well").isFalse();
  }

  @Test
  void whatIsNotKnownToBeThereDoesNotGoWithWhatIs() {
    RowPlan unsure = add(9, 1);
    unsure.expectCounters(false);
    assertThat(group.add(member(add(8, 1)))).isTrue();
    assertThat(group.add(member(unsure))).isFalse();
    unsure.expectCounters(true);
    assertThat(group.add(member(unsure))).isTrue();
  }

  @Test
  void theMoreOftenRefusedTheFewerGoTogether() {
    List<Integer> most = new ArrayList<>();
    for (int refusals = 0; refusals <= SharedRequest.MOST_REFUSALS; refusals++) {
      SharedRequest request = new SharedRequest();
      for (int i = 0; !request.isFull(); i++) {
        SharedRequest.Member member = member(put(i));
        for (int j = 0; j < refusals; j++) {
          member = member.refused();
        }
        assertThat(request.add(member)).isTrue();
      }
      most.add(request.members().size());
    }
    assertThat(most).containsExactly(64, 16, 4, 1);
  }

  private static SharedRequest.Member member(RowPlan... rows) {
    return new SharedRequest.Member(List.of(rows), 1);
  }

  private static RowPlan mark(int row) {
    RowPlan touched = touched(row);
    touched.putMarker(new byte[0]);
    return touched;
  }

  private static RowPlan put(int row) {
    RowPlan touched = touched(row);
    touched.put(new byte[] {1});
    return touched;
  }

  private static RowPlan add(int row, long sum) {
    RowPlan touched = touched(row);
    touched.accumulate(new Counters(new long[] {sum}, new long[0]), 0, true);
    return touched;
  }

  private static RowPlan guard(int row, long stamp) {
    RowPlan touched = touched(row);
    RowCell.Value value = new RowCell.Value(stamp, new byte[0]);
    touched.guard(new RowState(value.encode(), value, null, null, List.of(), List.of()));
    return touched;
  }

  private static RowPlan touched(int row) {
    return new RowPlan(new Key(TABLE, new byte[] {(byte) row}));
  }
}
