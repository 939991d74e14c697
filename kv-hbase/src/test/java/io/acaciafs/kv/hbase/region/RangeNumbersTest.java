package io.acaciafs.kv.hbase.region;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class RangeNumbersTest {
  private static final int ROWS = 40;
  private static final int STEPS = 2_000;
  private static final byte[] NO_END = {};

  private final RangeNumbers numbers = new RangeNumbers();

  @Test
  void nothingIsLowerThanAnyNumber() {
    assertThat(numbers.highest(row(0), NO_END)).isEqualTo(Long.MIN_VALUE);
  }

  @Test
  void aRangeHasTheHighestNumberOfItsParts() {
    numbers.raise(row(0), row(10), 5);
    numbers.raise(row(4), row(6), 7);
    numbers.raise(row(5), row(20), 6);
    assertThat(numbers.highest(row(0), row(4))).isEqualTo(5);
    assertThat(numbers.highest(row(0), row(5))).isEqualTo(7);
    assertThat(numbers.highest(row(6), row(9))).isEqualTo(6);
    assertThat(numbers.highest(row(19), NO_END)).isEqualTo(6);
    assertThat(numbers.highest(row(20), NO_END)).isEqualTo(Long.MIN_VALUE);
  }

  /** However regions split and merge, it keeps no more numbers than they have ends. */
  @Test
  void tellsWhatATableOfAllRowsWouldTell() {
    long[] all = new long[ROWS];
    java.util.Arrays.fill(all, Long.MIN_VALUE);
    Random random = new Random(1);
    for (int step = 0; step < STEPS; step++) {
      int from = random.nextInt(ROWS);
      int to = from + 1 + random.nextInt(ROWS - from);
      byte[] end = to == ROWS ? NO_END : row(to);
      if (random.nextBoolean()) {
        long number = random.nextInt(1 + step / 10);
        numbers.raise(row(from), end, number);
        for (int i = from; i < to; i++) {
          all[i] = Math.max(all[i], number);
        }
      }
      long highest = Long.MIN_VALUE;
      for (int i = from; i < to; i++) {
        highest = Math.max(highest, all[i]);
      }
      assertThat(numbers.highest(row(from), end)).as("step %s", step).isEqualTo(highest);
    }
    assertThat(numbers.size()).isLessThanOrEqualTo(ROWS + 1);
  }

  @Test
  void piecesOfTheSameNumberAreOne() {
    numbers.raise(row(3), row(5), 1);
    numbers.raise(row(5), row(9), 1);
    numbers.raise(row(0), NO_END, 2);
    assertThat(numbers.size()).isLessThanOrEqualTo(2);
  }

  private static byte[] row(int row) {
    return new byte[] {(byte) row};
  }
}
