package io.acaciafs.kv.hbase.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.hbase.protocol.CounterCell;
import io.acaciafs.kv.Counters;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The coprocessor adds up as the store's own counters do. */
class CounterCellTest {
  @Test
  void addsAsCountersDo() {
    Counters few = new Counters(new long[] {5}, new long[] {Long.MIN_VALUE, 7});
    Counters many = new Counters(new long[] {-7, 3}, new long[] {9});
    for (Counters before : new Counters[] {Counters.EMPTY, few, many}) {
      for (Counters change : new Counters[] {Counters.EMPTY, few, many}) {
        byte[] sum = CounterCell.plus(cell(before), change.encode());
        assertThat(sum[0]).isEqualTo(RowCell.BASE);
        assertThat(Counters.decode(Arrays.copyOfRange(sum, 1, sum.length)))
            .isEqualTo(before.plus(change));
      }
    }
  }

  @Test
  void refusesWhatIsNoRowOfCounters() {
    byte[] counters = new Counters(new long[] {5}, new long[0]).encode();
    assertThatThrownBy(() -> CounterCell.plus(new byte[] {RowCell.BASE}, counters))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> CounterCell.plus(cell(Counters.EMPTY), Arrays.copyOf(counters, 9)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] cell(Counters counters) {
    return new RowCell.Base(counters).encode();
  }
}
