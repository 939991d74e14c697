package io.acaciafs.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class FileNamesTest {
  @Test
  void namesAreInTheOrderOfTheirNumbersBehindDirectories() {
    FileNames names = new FileNames();
    for (int directory = 0; directory < 50; directory++) {
      String previous = "d99999999";
      for (long index : new long[] {0, 1, 9, 10, 99_999, 100_000, 99_999_999}) {
        String name = name(names, directory, index);
        assertThat(name).isGreaterThan(previous).isEqualTo(name(new FileNames(), directory, index));
        previous = name;
      }
    }
  }

  @Test
  void directoriesHaveNamesOfTheirOwn() {
    FileNames names = new FileNames();
    Set<String> firsts = new HashSet<>();
    int parts = 0;
    for (int directory = 0; directory < 1_000; directory++) {
      String first = name(names, directory, 17);
      firsts.add(first);
      if (first.matches(
          "part-00000017-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(-c000)?\\.snappy\\.parquet")) {
        parts++;
      }
    }
    assertThat(parts).isBetween(500, 700);
    assertThat(firsts).hasSizeGreaterThan(700);
  }

  private static String name(FileNames names, int directory, long index) {
    return new String(names.name(directory, index), StandardCharsets.ISO_8859_1);
  }
}
