package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Commits whose rows follow from their number and their process, so a test can tell after which
 * commit a store is. Some are larger than a segment of the log, the first among them.
 */
final class NumberedCommits {
  static final Table ONE = new Table("one", 2);
  static final Table TWO = Table.ofSingleRows("two");
  static final Set<Table> TABLES = Set.of(ONE, TWO);
  private static final Key LAST = new Key(TWO, new byte[] {0});
  private static final int LARGE_EACH = 17;
  private static final int LARGEST = 600_000;
  private static final int KEYS = 60;

  private NumberedCommits() {}

  /** What a commit writes; null: the row goes. */
  static Map<Key, byte[]> rows(int maker, int number) {
    Random random = new Random(1_000_003L * maker + number);
    Map<Key, byte[]> rows = new TreeMap<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      byte[] key = {1, (byte) random.nextInt(4), (byte) random.nextInt(KEYS)};
      byte[] value = random.nextInt(4) == 0 ? null : new byte[1 + random.nextInt(3_000)];
      if (value != null) {
        random.nextBytes(value);
      }
      rows.put(new Key(random.nextBoolean() ? ONE : TWO, key), value);
    }
    if (number % LARGE_EACH == 1) {
      byte[] value = new byte[LARGEST - random.nextInt(300_000)];
      random.nextBytes(value);
      rows.put(new Key(ONE, new byte[] {2, 0, (byte) random.nextInt(3)}), value);
    }
    rows.put(LAST, ByteBuffer.allocate(4).putInt(number).array());
    return rows;
  }

  static void addTo(Transaction transaction, int maker, int number) {
    rows(maker, number)
        .forEach(
            (key, value) -> {
              if (value == null) {
                transaction.delete(key);
              } else {
                transaction.put(key, value);
              }
            });
  }

  /** The number of the last commit that a store has. */
  static int last(RocksDbStore store) {
    byte[] value = store.get(LAST);
    return value == null ? 0 : ByteBuffer.wrap(value).getInt();
  }

  /**
   * What is wrong with a store; empty when it is as after its last commit.
   *
   * @param makers of the commits, the first of which has the number 1
   */
  static String differences(RocksDbStore store, List<Integer> makers) {
    Map<Key, byte[]> expected = new TreeMap<>();
    for (int number = 1; number <= last(store); number++) {
      rows(makers.get(number - 1), number)
          .forEach(
              (key, value) -> {
                if (value == null) {
                  expected.remove(key);
                } else {
                  expected.put(key, value);
                }
              });
    }
    for (Table table : List.of(ONE, TWO)) {
      try (Scan scan = store.scan(KeyRange.ofTable(table))) {
        while (scan.hasNext()) {
          Row row = scan.next();
          if (!Arrays.equals(expected.remove(row.key()), row.value())) {
            return "row " + row.key() + " is not as after commit " + last(store);
          }
        }
      }
    }
    return expected.isEmpty()
        ? ""
        : "missing after commit " + last(store) + ": " + expected.keySet();
  }
}
