package io.acaciafs.kv.hbase.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.admin.TableFormat;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowKeysTest {
  private static final Table SPREAD = new Table("entries", 16);
  private static final Table SCATTERED = Table.ofScatteredRows("inodes");
  private static final Table SMALL = Table.ofSingleRows("jobs");
  private static final Table ONE_PARTITION = new Table("datanodes", 1);

  private static Key key(Table table, int... bytes) {
    byte[] key = new byte[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      key[i] = (byte) bytes[i];
    }
    return new Key(table, key);
  }

  @Test
  void rowsLeadBackToTheirKeys() {
    for (Table table : List.of(SPREAD, SCATTERED, SMALL, ONE_PARTITION)) {
      for (int first = 0; first < 256; first += 5) {
        Key key = key(table, first, 0, 255);
        assertThat(RowKeys.toKey(table, RowKeys.of(key))).isEqualTo(key);
      }
    }
  }

  @Test
  void spreadRowsLieInTheOrderOfTheirKeys() {
    byte[] last = RowKeys.of(key(SPREAD));
    for (int first = 0; first < 256; first++) {
      byte[] row = RowKeys.of(key(SPREAD, first, 7));
      assertThat(Arrays.compareUnsigned(last, row)).isNegative();
      assertThat(RowKeys.shardOf(key(SPREAD, first, 7))).isEqualTo(first / 16);
      last = row;
    }
    assertThat(RowKeys.shardOf(key(SMALL, 77))).isEqualTo(-1);
    assertThat(RowKeys.shardOf(key(ONE_PARTITION, 77))).isEqualTo(-1);
  }

  @Test
  void runsHoldWhatIsInTheRangeAndNothingElse() {
    List<Key> keys = new ArrayList<>();
    for (int first = 0; first < 256; first++) {
      keys.add(key(SPREAD, first));
      keys.add(key(SPREAD, first, 0));
      keys.add(key(SPREAD, first, 255));
    }
    for (byte[] from : bounds()) {
      for (byte[] to : bounds()) {
        if (to == null || Arrays.compareUnsigned(from == null ? new byte[0] : from, to) <= 0) {
          KeyRange range = new KeyRange(SPREAD, from == null ? new byte[0] : from, to);
          List<RowKeys.Run> runs = RowKeys.runs(range);
          for (Key key : keys) {
            boolean isIn =
                Arrays.compareUnsigned(range.from(), key.bytes()) <= 0
                    && (to == null || Arrays.compareUnsigned(key.bytes(), to) < 0);
            byte[] row = RowKeys.of(key);
            long found =
                runs.stream()
                    .filter(
                        run ->
                            Arrays.compareUnsigned(run.first(), row) <= 0
                                && Arrays.compareUnsigned(row, run.end()) < 0)
                    .count();
            assertThat(found).as("%s in %s", key, range).isEqualTo(isIn ? 1 : 0);
          }
        }
      }
    }
    byte[] partition = new byte[16];
    assertThat(RowKeys.runs(KeyRange.ofPrefix(SPREAD, partition))).hasSize(1);
  }

  private static List<byte[]> bounds() {
    List<byte[]> bounds = new ArrayList<>();
    bounds.add(null);
    for (int[] each : new int[][] {{0}, {15, 255}, {16}, {16, 0}, {17}, {127, 3}, {240}, {255}}) {
      bounds.add(key(SPREAD, each).bytes());
    }
    return bounds;
  }

  @Test
  void cutsLieBetweenPilesAsLongAsThereAreEnough() {
    Set<Table> tables = Set.of(SPREAD, SCATTERED, SMALL);
    for (int regions : new int[] {1, 2, 3, 4, 8, 16}) {
      assertThat(List.of(TableFormat.splits(tables, regions)))
          .hasSize(regions - 1)
          .allMatch(cut -> cut.length == 2);
    }
    byte[][] cuts = TableFormat.splits(tables, 32);
    assertThat(cuts.length).isEqualTo(31);
    assertThat(cuts[0]).isEqualTo(RowKeys.of(key(SPREAD, 8, 0)));
    assertThat(cuts[1]).containsExactly((int) '~', 1);
    assertThat(TableFormat.splits(Set.of(SMALL, ONE_PARTITION), 4)).isEmpty();
  }
}
