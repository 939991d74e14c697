package io.acaciafs.kv.hbase.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentRowsTest {
  private static final Table ROWS = Table.ofSingleRows("rows");
  private static final int VALUE_BYTES = 100;

  private final RecentRows recent = new RecentRows(10_000);

  @Test
  void rowsGiveWayToLaterOnesWhenTheyFillTheRoom() {
    for (int i = 0; i < 1_000; i++) {
      recent.note(key(ROWS, i), state(VALUE_BYTES));
    }
    assertThat(recent.get(key(ROWS, 0))).isNull();
    assertThat(recent.get(key(ROWS, 999))).isNotNull();
    assertThat(remembered(1_000)).isBetween(15L, 30L);
  }

  @Test
  void aRowThatIsReadStays() {
    for (int i = 0; i < 1_000; i++) {
      recent.note(key(ROWS, i), state(VALUE_BYTES));
      assertThat(recent.get(key(ROWS, 0))).isNotNull();
    }
  }

  @Test
  void aRowThatChangesTakesItsRoomOnce() {
    recent.note(key(ROWS, 0), state(VALUE_BYTES));
    for (int i = 0; i < 1_000; i++) {
      recent.note(key(ROWS, 1), state(VALUE_BYTES + i % 2));
    }
    assertThat(remembered(2)).isEqualTo(2L);
  }

  @Test
  void whatIsGoneIsForgottenAndItsRoomIsFree() {
    for (int i = 0; i < 1_000; i++) {
      recent.note(key(ROWS, i), state(VALUE_BYTES));
      if (i % 2 == 0) {
        recent.note(key(ROWS, i), RowState.ABSENT);
      } else if (i > 1) {
        recent.forget(List.of(key(ROWS, i)));
      }
    }
    assertThat(recent.get(key(ROWS, 1))).isNotNull();
    assertThat(remembered(1_000)).isEqualTo(1L);
  }

  @Test
  void whatIsLargeOrNeverRecalledIsNotRemembered() {
    Table scattered = Table.ofScatteredRows("scattered");
    recent.note(key(ROWS, 0), state(5_000));
    recent.note(key(scattered, 0), state(VALUE_BYTES));
    assertThat(recent.get(key(ROWS, 0))).isNull();
    assertThat(recent.get(key(scattered, 0))).isNull();
  }

  private long remembered(int keys) {
    long count = 0;
    for (int i = 0; i < keys; i++) {
      count += recent.get(key(ROWS, i)) == null ? 0 : 1;
    }
    return count;
  }

  private static Key key(Table table, int number) {
    return new Key(table, new byte[] {(byte) (number >> 8), (byte) number});
  }

  private static RowState state(int valueBytes) {
    RowCell.Value cell = new RowCell.Value(1, new byte[valueBytes]);
    return new RowState(cell.encode(), cell, null, null, List.of(), List.of());
  }
}
