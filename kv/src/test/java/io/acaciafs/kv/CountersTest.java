package io.acaciafs.kv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** To add to a row as it is stored is to add to what it says. */
class CountersTest {
  @Test
  void addingToARowIsAddingToItsCounters() {
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] row = random.nextInt(5) == 0 ? null : randomCounters(random).encode();
      byte[] before = row == null ? null : row.clone();
      Counters delta = randomCounters(random);
      assertThat(delta.addTo(row)).isEqualTo(Counters.decode(row).plus(delta).encode());
      assertThat(row).isEqualTo(before);
    }
  }

  @Test
  void refusesWhatIsNoRow() {
    assertThatThrownBy(() -> Counters.EMPTY.addTo(new byte[] {1, 1}))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> Counters.decode(new byte[] {1, -1, 1}))
        .isInstanceOf(StoreException.class);
  }

  private static Counters randomCounters(Random random) {
    return new Counters(
        random.longs(random.nextInt(4)).toArray(), random.longs(random.nextInt(3)).toArray());
  }
}
