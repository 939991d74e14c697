package io.acaciafs.fsimage.sort;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowSorterTest {
  @TempDir private Path folder;

  /** A buffer holds some hundred rows, so there are many runs; one row fits into no buffer. */
  @Test
  void bringsRowsInTheOrderOfUnsignedBytes() throws Exception {
    Random random = new Random(3);
    Map<byte[], byte[]> expected = new TreeMap<>(Arrays::compareUnsigned);
    try (RowSorter sorter = new RowSorter(folder, "rows", 8 << 10)) {
      for (int i = 0; i < 20_000; i++) {
        byte[] key = new byte[8 + random.nextInt(20)];
        random.nextBytes(key);
        Arrays.fill(key, 0, 7, (byte) 0); // many share their first eight bytes
        byte[] value = new byte[i == 777 ? 100_000 : random.nextInt(50)];
        random.nextBytes(value);
        if (expected.putIfAbsent(key, value) == null) {
          sorter.add(key, value);
        }
      }
      assertThat(folder.toFile().list()).hasSizeGreaterThan(50);
      try (RowMerge merge = sorter.merge()) {
        for (Map.Entry<byte[], byte[]> row : expected.entrySet()) {
          assertThat(merge.next()).isTrue();
          assertThat(merge.key()).isEqualTo(row.getKey());
          assertThat(merge.value()).isEqualTo(row.getValue());
        }
        assertThat(merge.next()).isFalse();
      }
    }
    assertThat(folder.toFile().list()).isEmpty();
  }
}
