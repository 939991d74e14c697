package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.OTHER;
import static io.acaciafs.kv.testkit.Rows.PARTITIONED;
import static io.acaciafs.kv.testkit.Rows.SINGLE;
import static io.acaciafs.kv.testkit.Rows.assertCommits;
import static io.acaciafs.kv.testkit.Rows.bytes;
import static io.acaciafs.kv.testkit.Rows.delete;
import static io.acaciafs.kv.testkit.Rows.key;
import static io.acaciafs.kv.testkit.Rows.keys;
import static io.acaciafs.kv.testkit.Rows.numbered;
import static io.acaciafs.kv.testkit.Rows.put;
import static io.acaciafs.kv.testkit.Rows.scan;
import static io.acaciafs.kv.testkit.Rows.value;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What scans show, and in which order. */
interface ScanRules extends Fixture {
  @Test
  default void rowsComeByUnsignedBytes() {
    for (Table table : Rows.TABLES) {
      List<Key> ordered =
          List.of(
              key(table, 0),
              key(table, 0, 0),
              key(table, 1, 0x7F),
              key(table, 1, 0x80),
              key(table, 1, 0xFF, 0, 0, 0),
              key(table, 0x7F, 1),
              key(table, 0x80),
              key(table, 0x80, 0, 0xFF),
              key(table, 0xFF),
              key(table, 0xFF, 0xFF));
      fill(ordered);
      assertThat(keys(store(), KeyRange.ofTable(table))).isEqualTo(ordered);
    }
  }

  @Test
  default void aRangeHasItsFromAndNotItsTo() {
    for (Table table : Rows.TABLES) {
      fill(List.of(key(table, 1), key(table, 2), key(table, 2, 0), key(table, 3)));
      assertThat(keys(store(), new KeyRange(table, bytes(2), bytes(3))))
          .containsExactly(key(table, 2), key(table, 2, 0));
      assertThat(keys(store(), new KeyRange(table, bytes(1, 0), bytes(2, 0))))
          .containsExactly(key(table, 2));
      assertThat(keys(store(), new KeyRange(table, bytes(2, 0), null)))
          .containsExactly(key(table, 2, 0), key(table, 3));
      assertThat(keys(store(), new KeyRange(table, bytes(3), bytes(3)))).isEmpty();
      assertThat(keys(store(), new KeyRange(table, bytes(3), bytes(1)))).isEmpty();
      assertThat(keys(store(), new KeyRange(table, bytes(4), null))).isEmpty();
    }
  }

  @Test
  default void aRangeCanBeginBehindAKey() {
    fill(List.of(key(1, 1), key(1, 1, 0), key(1, 1, 1), key(1, 2)));
    KeyRange range = KeyRange.ofPrefix(PARTITIONED, bytes(1));
    assertThat(keys(store(), range.startingAfter(bytes(1, 1))))
        .containsExactly(key(1, 1, 0), key(1, 1, 1), key(1, 2));
    assertThat(keys(store(), range.startingAfter(bytes(1, 1, 0))))
        .containsExactly(key(1, 1, 1), key(1, 2));
    assertThat(keys(store(), range.startingAfter(bytes(1, 2)))).isEmpty();
  }

  @Test
  default void aPrefixCoversItsKeysAndNoOthers() {
    for (Table table : Rows.TABLES) {
      fill(
          List.of(
              key(table, 1, 0xFE, 0xFF),
              key(table, 1, 0xFF),
              key(table, 1, 0xFF, 0xFF, 1),
              key(table, 2),
              key(table, 2, 0),
              key(table, 0xFF, 0xFF, 7)));
      assertThat(keys(store(), KeyRange.ofPrefix(table, bytes(1, 0xFF))))
          .containsExactly(key(table, 1, 0xFF), key(table, 1, 0xFF, 0xFF, 1));
      assertThat(keys(store(), KeyRange.ofPrefix(table, bytes(2))))
          .containsExactly(key(table, 2), key(table, 2, 0));
      assertThat(keys(store(), KeyRange.ofPrefix(table, bytes(0xFF, 0xFF))))
          .containsExactly(key(table, 0xFF, 0xFF, 7));
      assertThat(keys(store(), KeyRange.ofPrefix(table, bytes(9)))).isEmpty();
    }
  }

  @Test
  default void partitionsCanBeScannedAloneAndTogether() {
    List<Key> first = List.of(key(1, 1), key(1, 1, 0, 5), key(1, 1, 0xFF));
    List<Key> second = List.of(key(1, 2), key(1, 2, 3));
    List<Key> all = new ArrayList<>(first);
    all.addAll(second);
    fill(all);
    put(store(), key(1), value(1)); // shorter than a partition
    assertThat(keys(store(), KeyRange.ofPrefix(PARTITIONED, bytes(1, 1)))).isEqualTo(first);
    assertThat(keys(store(), KeyRange.ofPrefix(PARTITIONED, bytes(1, 2)))).isEqualTo(second);
    assertThat(keys(store(), KeyRange.ofPrefix(PARTITIONED, bytes(1, 3)))).isEmpty();
    assertThat(keys(store(), new KeyRange(PARTITIONED, bytes(1, 0), bytes(1, 3)))).isEqualTo(all);
    assertThat(keys(store(), KeyRange.ofPrefix(PARTITIONED, bytes(1))))
        .startsWith(key(1))
        .hasSize(all.size() + 1);
    assertThat(keys(store(), new KeyRange(PARTITIONED, bytes(1, 1, 1), bytes(1, 2, 9))))
        .containsExactly(key(1, 1, 0xFF), key(1, 2), key(1, 2, 3));
  }

  @Test
  default void aLongScanShowsEveryRowOnce() {
    List<Key> ordered = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      ordered.add(numbered(OTHER, 7, i));
    }
    List<Key> shuffled = new ArrayList<>(ordered);
    Collections.shuffle(shuffled, new Random(1));
    Transaction transaction = store().begin();
    shuffled.forEach(key -> transaction.put(key, Arrays.copyOf(key.bytes(), 50)));
    assertCommits(transaction);
    assertThat(keys(store(), KeyRange.ofTable(OTHER))).isEqualTo(ordered);
    assertThat(scan(store(), KeyRange.ofTable(OTHER)))
        .allMatch(row -> Arrays.equals(row.value(), Arrays.copyOf(row.key().bytes(), 50)));
  }

  @Test
  default void rowsThatStayAreShownWhileOthersChange() {
    fill(List.of(key(SINGLE, 1), key(SINGLE, 2), key(SINGLE, 3), key(SINGLE, 5)));
    try (Scan scan = store().scan(KeyRange.ofTable(SINGLE))) {
      assertThat(scan.next().key()).isEqualTo(key(SINGLE, 1));
      delete(store(), key(SINGLE, 2));
      put(store(), key(SINGLE, 4), value(4));
      List<Key> rest = new ArrayList<>();
      scan.forEachRemaining(row -> rest.add(row.key()));
      assertThat(rest).contains(key(SINGLE, 3), key(SINGLE, 5)).doesNotHaveDuplicates().isSorted();
    }
  }

  @Test
  default void rowsCanBeShownWithoutObjects() {
    List<Key> ordered = new ArrayList<>();
    for (int i = 0; i < 2_000; i++) {
      ordered.add(numbered(OTHER, 7, i));
    }
    Transaction transaction = store().begin();
    ordered.forEach(key -> transaction.put(key, valueOf(key)));
    assertCommits(transaction);
    List<Key> shown = new ArrayList<>();
    try (Scan scan = store().scan(KeyRange.ofTable(OTHER))) {
      for (int stop : new int[] {1, 2, 5, 100, 101, 1_500}) {
        scan.forEachRow(
            row -> {
              Key key = new Key(OTHER, row.keyFrom(0));
              assertThat(row.value()).isEqualTo(valueOf(key));
              assertThat(row.keyLength()).isEqualTo(key.bytes().length);
              assertThat(row.keyByte(row.keyLength() - 1))
                  .isEqualTo(key.bytes()[key.bytes().length - 1]);
              shown.add(key);
              return shown.size() < stop;
            });
        shown.add(scan.next().key());
      }
      scan.forEachRow(row -> shown.add(new Key(OTHER, row.keyFrom(0))));
      scan.forEachRow(row -> shown.add(null));
      assertThat(scan.hasNext()).isFalse();
    }
    assertThat(shown).isEqualTo(ordered);
  }

  /** Neighbours, others that are far from each other, and some with nothing in them. */
  @Test
  default void rangesAreScannedOneBehindTheOther() {
    List<Key> all = new ArrayList<>();
    Random random = new Random(1);
    for (int partition = 0; partition < 40; partition++) {
      for (int row = random.nextInt(30); row > 0; row--) {
        all.add(key(1, partition, row));
      }
    }
    fill(all);
    for (int i = 0; i < 20; i++) {
      List<KeyRange> ranges = new ArrayList<>();
      List<Key> expected = new ArrayList<>();
      for (int partition = 0; partition < 40; partition += 1 + random.nextInt(1 + i % 4 * 5)) {
        int from = random.nextInt(10);
        byte[] to = random.nextBoolean() ? bytes(1, partition + 1) : bytes(1, partition, 20);
        KeyRange range = new KeyRange(PARTITIONED, bytes(1, partition, from), to);
        ranges.add(range);
        all.stream().filter(range::contains).sorted().forEach(expected::add);
      }
      List<Key> shown = new ArrayList<>();
      try (Scan scan = store().scan(ranges)) {
        scan.forEachRow(
            row -> {
              shown.add(new Key(PARTITIONED, row.keyFrom(0)));
              return shown.size() % 7 > 0;
            });
        scan.forEachRemaining(row -> shown.add(row.key()));
        assertThat(scan.hasNext()).isFalse();
      }
      assertThat(shown).isEqualTo(expected);
    }
  }

  /** Of very different lengths, none among them. */
  private static byte[] valueOf(Key key) {
    byte[] bytes = key.bytes();
    int last = bytes[bytes.length - 1] & 0xFF;
    return Arrays.copyOf(bytes, last % 7 == 0 ? 0 : last % 50 == 1 ? 70_000 : last);
  }

  @Test
  default void aScanEndsWithNoSuchElement() {
    put(store(), key(1), value(1));
    try (Scan scan = store().scan(KeyRange.ofTable(PARTITIONED))) {
      assertThat(scan.next().value()).isEqualTo(value(1));
      assertThat(scan.hasNext()).isFalse();
      assertThat(scan.hasNext()).isFalse();
      assertThatThrownBy(scan::next).isInstanceOf(NoSuchElementException.class);
    }
  }

  @Test
  default void aScanMayBeClosedEarlyAndTwice() {
    fill(List.of(key(1), key(2)));
    Scan scan = store().scan(KeyRange.ofTable(PARTITIONED));
    scan.next();
    scan.close();
    scan.close();
    assertThat(keys(store(), KeyRange.ofTable(PARTITIONED))).hasSize(2);
  }

  private void fill(List<Key> keys) {
    Transaction transaction = store().begin();
    List<Key> shuffled = new ArrayList<>(keys);
    Collections.shuffle(shuffled, new Random(keys.size()));
    shuffled.forEach(key -> transaction.put(key, value(1)));
    assertCommits(transaction);
  }
}
