package io.acaciafs.kv.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.RowView;
import io.acaciafs.kv.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RowDigestTest {
  private static final Table TABLE = Table.ofSingleRows("rows");

  private static RowDigest of(Table table, byte[] key, byte[] value) {
    RowDigest.Sum sum = new RowDigest.Sum(table);
    RowView row = new RowView();
    byte[] within = new byte[key.length + 3];
    System.arraycopy(key, 0, within, 2, key.length);
    row.showKey(within, 2, key.length);
    row.showValue(value, 0, value.length);
    sum.add(row);
    return sum.end();
  }

  private static RowDigest of(int... keyAndValue) {
    byte[] key = {(byte) keyAndValue[0], (byte) keyAndValue[1]};
    byte[] value = {(byte) keyAndValue[2], (byte) keyAndValue[3]};
    return of(TABLE, key, value);
  }

  @Test
  void orderOfRowsMakesNoDifference() {
    RowDigest one = of(1, 2, 3, 4);
    RowDigest other = of(5, 6, 7, 8);
    assertThat(one.plus(other)).isEqualTo(other.plus(one)).isNotEqualTo(one.plus(one));
    assertThat(one.plus(other).rows()).isEqualTo(2);
    assertThat(one.plus(RowDigest.EMPTY)).isEqualTo(one);
  }

  /** Each bit of a row, its table, and where its key ends. */
  @Test
  void eachChangeOfRowChangesIt() {
    Random random = new Random(42);
    byte[] key = new byte[29];
    byte[] value = new byte[83];
    random.nextBytes(key);
    random.nextBytes(value);
    List<RowDigest> changed = new ArrayList<>();
    changed.add(of(TABLE, key, value));
    changed.add(of(Table.ofSingleRows("other"), key, value));
    for (byte[] part : List.of(key, value)) {
      for (int bit = 0; bit < Byte.SIZE * part.length; bit++) {
        part[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
        changed.add(of(TABLE, key, value));
        part[bit / Byte.SIZE] ^= (byte) (1 << bit % Byte.SIZE);
      }
    }
    for (int length = 0; length < value.length; length++) {
      changed.add(of(TABLE, key, Arrays.copyOf(value, length)));
    }
    assertThat(changed.stream().map(RowDigest::first)).doesNotHaveDuplicates();
    assertThat(changed.stream().map(RowDigest::second)).doesNotHaveDuplicates();
    assertThat(of(1, 2, 3, 4).first()).isNotEqualTo(of(1, 2, 3, 4).second());
  }

  @Test
  void borderOfKeyAndValueCounts() {
    assertThat(of(TABLE, new byte[] {1, 2}, new byte[] {3}))
        .isNotEqualTo(of(TABLE, new byte[] {1}, new byte[] {2, 3}));
    assertThat(of(TABLE, new byte[2], new byte[3]))
        .isNotEqualTo(of(TABLE, new byte[3], new byte[2]));
  }
}
