package io.acaciafs.kv;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Ranges of keys and the partitions that they lie in. */
class KeyRangeTest {
  private static final Table TABLE = new Table("rows", 2);

  @Test
  void aRangeIsInOnePartitionWhenAllItsKeysBeginWithIt() {
    assertThat(isInOne(bytes(1, 2), bytes(1, 3))).isTrue();
    assertThat(isInOne(bytes(1, 2, 5), bytes(1, 2, 9))).isTrue();
    assertThat(isInOne(bytes(1, 0xFF), bytes(2))).isTrue();
    assertThat(isInOne(bytes(1, 2), bytes(1, 3, 0))).isFalse();
    assertThat(isInOne(bytes(1, 2), bytes(1, 4))).isFalse();
    assertThat(isInOne(bytes(1), bytes(2))).isFalse();
    assertThat(isInOne(bytes(0xFF, 0xFF), null)).isFalse();
  }

  private static boolean isInOne(byte[] from, byte[] to) {
    return new KeyRange(TABLE, from, to).isInOnePartition();
  }

  private static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }
}
