package io.acaciafs.kv.rocksdb.memtable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Rows in memory against a sorted map, with the same random commits. */
class MemtableTest {
  private static final Table PARTITIONED = new Table("partitioned", 2);
  private static final Table SINGLE = Table.ofSingleRows("single");
  private static final Families FAMILIES = new Families(Map.of(PARTITIONED, 1, SINGLE, 200));
  private static final int PART_BYTES = 20_000;

  /** Few, so that rows and partitions meet in one. */
  private static final int SLOT_BITS = 6;

  private static final int PARTITION_BITS = 2;

  private final Random random = new Random(3);
  private final Memtable memtable = newMemtable();

  /** A value, or none where the row was removed. */
  private final TreeMap<Key, byte[]> expected = new TreeMap<>();

  private int fullParts;
  private int longScans;

  private final Memtable.Watcher watcher =
      new Memtable.Watcher() {
        @Override
        public void partIsFull() {
          fullParts++;
        }

        @Override
        public void scanWasLong() {
          longScans++;
        }
      };

  private static Memtable newMemtable() {
    return newMemtable(0);
  }

  private static Memtable newMemtable(int partsKept) {
    return new Memtable(
        FAMILIES,
        new RowSlots(SLOT_BITS),
        new PartitionVersions(PARTITION_BITS),
        PART_BYTES,
        partsKept);
  }

  private Key randomKey() {
    byte[] key = new byte[3 + random.nextInt(25)];
    key[1] = (byte) random.nextInt(4);
    key[2] = (byte) random.nextInt(50);
    return new Key(random.nextBoolean() ? PARTITIONED : SINGLE, key);
  }

  private RowBatch commit(int rows) {
    return commit(memtable, rows);
  }

  private RowBatch commit(Memtable target, int rows) {
    RowBatch batch = new RowBatch(rows);
    for (int i = 0; i < rows; i++) {
      Key key = randomKey();
      byte[] value = random.nextInt(4) == 0 ? null : new byte[random.nextInt(100)];
      if (value != null) {
        random.nextBytes(value);
      }
      batch.add(key, value);
      expected.put(key, value);
    }
    target.add(batch);
    return batch;
  }

  private void assertThatAllIsFound() {
    assertThatAllIsIn(memtable);
  }

  private void assertThatAllIsIn(Memtable other) {
    expected.forEach(
        (key, value) -> assertThat(other.find(key).value()).as("%s", key).isEqualTo(value));
  }

  /** As a leader that loses its part does, wherever parts and chunks end. */
  @Test
  void takesBackWhatIsNotDurable() {
    for (int round = 0; round < 50; round++) {
      for (int i = random.nextInt(40); i > 0; i--) {
        commit(random.nextInt(6));
      }
      memtable.allDurable();
      Map<Key, byte[]> durable = new HashMap<>(expected);
      for (int i = random.nextInt(200); i > 0; i--) {
        commit(random.nextInt(6));
      }
      memtable.fail(new IllegalStateException("No majority took it"));
      memtable.removeUndurable(0);
      Set<Key> gone = new HashSet<>(expected.keySet());
      gone.removeAll(durable.keySet());
      expected.clear();
      expected.putAll(durable);
      assertThatAllIsFound();
      gone.forEach(key -> assertThat(memtable.find(key)).as("%s", key).isNull());
      expected.keySet().forEach(key -> assertThat(memtable.isDurable(key)).isTrue());
    }
  }

  /** Else the batches of another leader that get the same positions would count as written. */
  @Test
  void whatIsTakenBackIsNotReleasedWithWhatStays() {
    TreeMap<Long, Long> durable = new TreeMap<>(Map.of(1L, 0L)); // position by end
    long position = 0;
    for (int round = 0; round < 50; round++) {
      for (int i = 1 + random.nextInt(40); i > 0; i--) {
        commit(1 + random.nextInt(5));
        lastPart().logged(++position);
        durable.put(memtable.extent().end(), position);
      }
      memtable.allDurable();
      long added = position;
      for (int i = random.nextInt(200); i > 0; i--) {
        commit(1 + random.nextInt(5));
        lastPart().logged(++added);
      }
      memtable.seal(); // as the writer does when it is asked for what there is
      memtable.removeUndurable(position);
      memtable.seal();
      for (MemtablePart part : memtable.extent().view().parts()) {
        assertThat(part.logPosition()).isEqualTo(durable.get(part.end()));
      }
    }
  }

  private MemtablePart lastPart() {
    MemtableView view = memtable.extent().view();
    return view.parts()[view.last()];
  }

  @Test
  void findsTheLatestOfEachRow() {
    memtable.watch(watcher);
    for (int i = 0; i < 3_000; i++) {
      commit(random.nextInt(6));
    }
    assertThat(fullParts).isGreaterThan(10);
    assertThatAllIsFound();
    for (int i = 0; i < 1_000; i++) {
      Key key = randomKey();
      if (!expected.containsKey(key)) {
        assertThat(memtable.find(key)).isNull();
      }
    }
  }

  @Test
  void holdsRowsOfAnySize() {
    for (int bytes : new int[] {0, 1, 262_120, 262_143, 262_144, 3_000_000, 5, 262_100, 50}) {
      RowBatch batch = new RowBatch(2);
      for (Table table : List.of(SINGLE, PARTITIONED)) {
        Key key = new Key(table, ByteBuffer.allocate(4).putInt(bytes).array());
        byte[] value = new byte[bytes];
        random.nextBytes(value);
        batch.add(key, value);
        expected.put(key, value);
      }
      memtable.add(batch);
      assertThatAllIsFound();
    }
    assertThat(logged()).isEqualTo(expected.size());
  }

  @Test
  void isRecoveredFromWhatTheLogGot() {
    for (int i = 0; i < 1_000; i++) {
      commit(random.nextInt(6));
    }
    Memtable recovered = newMemtable();
    Memtable.Extent extent = memtable.extent();
    for (MemtablePart part : extent.view().parts()) {
      long end = extent.endIn(part);
      BatchEncoder batch = new BatchEncoder();
      part.appendTo(batch, part.first(), end);
      byte[] segment = new byte[5 + batch.sizeBytes() + 7];
      batch.toBuffer().get(segment, 5, batch.sizeBytes());
      recovered.recover(end, segment, 5, 5 + batch.sizeBytes());
      assertThat(recovered.extent().end()).isEqualTo(end);
    }
    assertThatAllIsIn(recovered);
    for (Table table : List.of(SINGLE, PARTITIONED)) {
      assertThat(keysOf(recovered, table)).isEqualTo(keysOf(memtable, table)).isNotEmpty();
      assertThat(keysOf(recovered, table, 0, 1))
          .isEqualTo(keysOf(memtable, table, 0, 1))
          .isNotEmpty();
      assertThat(recovered.putBeyondRemoved(table)).isEqualTo(memtable.putBeyondRemoved(table));
    }
  }

  private static List<Key> keysOf(Memtable memtable, Table table, int... prefix) {
    byte[] bytes = new byte[prefix.length];
    for (int i = 0; i < prefix.length; i++) {
      bytes[i] = (byte) prefix[i];
    }
    List<Key> keys = new ArrayList<>();
    assertThat(memtable.forEachKey(table, bytes, Integer.MAX_VALUE, keys::add)).isTrue();
    return keys;
  }

  /** As the log gets it. */
  private int logged() {
    Memtable.Extent extent = memtable.extent();
    int rows = 0;
    for (MemtablePart part : extent.view().parts()) {
      for (long from = part.first(); from < extent.endIn(part); ) {
        long to = Math.min(extent.endIn(part), from + 1 + random.nextInt(3));
        BatchEncoder batch = new BatchEncoder();
        part.appendTo(batch, from, to);
        assertThat(Integer.reverseBytes(batch.toBuffer().getInt(8))).isEqualTo((int) (to - from));
        List<byte[]> values = new ArrayList<>();
        byte[] encoded = batch.toBytes();
        BatchEncoder.forEachRow(
            encoded,
            0,
            encoded.length,
            row -> {
              Key key = new Key(FAMILIES.table(row.family()), row.key());
              assertThat(expected.get(key)).isEqualTo(row.value());
              values.add(row.value());
            });
        assertThat(values).hasSize((int) (to - from));
        rows += values.size();
        from = to;
      }
    }
    return rows;
  }

  @Test
  void showsRangesAsTheyWereAtOneMoment() {
    for (int i = 0; i < 2_000; i++) {
      commit(random.nextInt(6));
    }
    for (int i = 0; i < 50; i++) {
      List<KeyRange> ranges = randomRanges();
      MemtableSnapshot snapshot = memtable.snapshot(ranges);
      TreeMap<Key, byte[]> then = new TreeMap<>(expected);
      for (int more = 0; more < 30; more++) {
        commit(random.nextInt(6));
      }
      for (int r = 0; r < ranges.size(); r++) {
        assertThat(texts(rows(snapshot, r))).isEqualTo(texts(then, ranges.get(r)));
      }
    }
  }

  @Test
  void tellsOfScansThatAreLong() {
    memtable.watch(watcher);
    List<KeyRange> partition = List.of(KeyRange.ofPrefix(PARTITIONED, new byte[] {0, 1}));
    commit(4_000);
    memtable.snapshot(partition).rows(0, null, 10);
    assertThat(longScans).isZero();
    for (int i = 0; i < 20; i++) {
      commit(4_000);
    }
    memtable.snapshot(partition).rows(0, null, 10);
    assertThat(longScans).isEqualTo(1);
    memtable.snapshot(List.of(KeyRange.ofTable(SINGLE))).rows(0, null, 10);
    assertThat(longScans).isEqualTo(2);
  }

  /** In pieces of random sizes. */
  private List<MemtableRow> rows(MemtableSnapshot snapshot, int range) {
    List<MemtableRow> all = new ArrayList<>();
    boolean isEnd = false;
    while (!isEnd) {
      MemtableRow last = all.isEmpty() ? null : all.get(all.size() - 1);
      int wanted = 1 + random.nextInt(300);
      LatestOfRange some = snapshot.rows(range, last, wanted);
      assertThat(some.list()).hasSizeLessThanOrEqualTo(wanted);
      assertThat(some.isEnd())
          .isEqualTo(some.list().size() < wanted || isLast(snapshot, range, some));
      all.addAll(some.list());
      isEnd = some.isEnd();
    }
    return all;
  }

  private static boolean isLast(MemtableSnapshot snapshot, int range, LatestOfRange rows) {
    return snapshot.rows(range, rows.list().get(rows.list().size() - 1), 1).list().isEmpty();
  }

  private List<KeyRange> randomRanges() {
    Table table = random.nextBoolean() ? PARTITIONED : SINGLE;
    byte partition = (byte) random.nextInt(5);
    KeyRange prefix = KeyRange.ofPrefix(table, new byte[] {0, partition});
    return List.of(
        KeyRange.ofTable(table),
        prefix,
        prefix.startingAfter(new byte[] {0, partition, (byte) random.nextInt(50)}));
  }

  private static byte[] keyOf(MemtableRow row) {
    byte[] key = new byte[row.keyLength()];
    row.copyKey(key, 0);
    return key;
  }

  /** Null where it was removed. */
  private static byte[] valueOf(MemtableRow row) {
    if (row.isRemoved()) {
      return null;
    }
    byte[] value = new byte[row.valueLength()];
    row.copyValue(value, 0);
    return value;
  }

  private static List<String> texts(List<MemtableRow> rows) {
    List<String> texts = new ArrayList<>();
    for (MemtableRow row : rows) {
      texts.add(Arrays.toString(keyOf(row)) + Arrays.toString(valueOf(row)));
    }
    return texts;
  }

  private static List<String> texts(TreeMap<Key, byte[]> rows, KeyRange range) {
    List<String> texts = new ArrayList<>();
    rows.forEach(
        (key, value) -> {
          if (key.table().equals(range.table())
              && Arrays.compareUnsigned(key.bytes(), range.from()) >= 0
              && (range.to() == null || Arrays.compareUnsigned(key.bytes(), range.to()) < 0)) {
            texts.add(Arrays.toString(key.bytes()) + Arrays.toString(value));
          }
        });
    return texts;
  }

  @Test
  void aFlushWritesTheLatestStateOfEachRowOnce() {
    while (memtable.fullParts() < 5) {
      commit(4);
    }
    long flushCount = memtable.flushCount();
    Map<Integer, List<MemtableRow>> flushed = memtable.beginFlush(memtable.extent(), 3);
    assertThat(memtable.flushCount()).isEqualTo(flushCount + 1);
    assertThatAllIsFound();
    memtable.written(3);

    TreeMap<Key, byte[]> there = new TreeMap<>();
    flushed.forEach(
        (family, rows) -> {
          assertThat(rows).isSorted();
          for (MemtableRow row : rows) {
            Key key = new Key(FAMILIES.table(family), keyOf(row));
            assertThat(there.containsKey(key)).isFalse();
            there.put(key, valueOf(row));
          }
        });
    assertThat(expected)
        .allSatisfy(
            (key, value) -> {
              Memtable.Found found = memtable.find(key);
              assertThat(found == null ? there.get(key) : found.value()).isEqualTo(value);
              assertThat(found != null && there.containsKey(key)).isFalse();
            });
  }

  /** Of a leader, whose commits may be on their way while parts become full. */
  @Test
  void whatIsDurableIsShownAloneWhereverPartsEnd() {
    KeyRange all = KeyRange.ofTable(PARTITIONED);
    for (int round = 0; round < 20; round++) {
      commit(1 + random.nextInt(40));
      memtable.allDurable();
      TreeMap<Key, byte[]> durable = new TreeMap<>(expected);
      Memtable.Moment moment = memtable.durableMoment();
      int full = memtable.fullParts();
      while (memtable.fullParts() < full + round % 3) {
        commit(4);
      }
      for (Memtable.Moment each : List.of(moment, memtable.durableMoment())) {
        assertThat(texts(rows(memtable.snapshot(List.of(all), each), 0)))
            .isEqualTo(texts(durable, all));
        assertThat(texts(rows(memtable.lastingSnapshot(all, each), 0)))
            .isEqualTo(texts(durable, all));
      }
    }
  }

  @Test
  void aSealedMemtableLeavesWhole() {
    commit(10);
    memtable.seal();
    assertThat(memtable.fullParts()).isEqualTo(1);
    commit(10);
    assertThat(memtable.fullParts()).isEqualTo(1);
    memtable.seal();
    memtable.written(2);
    assertThat(memtable.fullParts()).isZero();
    assertThat(memtable.mayHoldAnyOf(KeyRange.ofPrefix(PARTITIONED, new byte[] {0, 1}))).isFalse();
    expected.forEach((key, value) -> assertThat(memtable.find(key)).isNull());
    expected.clear();
    commit(10);
    assertThatAllIsFound();
  }

  @Test
  void someOfWhatIsWrittenStaysForWhoReadsARow() {
    Memtable keeping = newMemtable(2);
    while (keeping.fullParts() < 5) {
      commit(keeping, 4);
    }
    MemtablePart[] parts = keeping.extent().view().parts();
    keeping.written(1);
    keeping.written(3);
    assertThat(keeping.fullParts()).isEqualTo(1);
    assertThat(keeping.floor()).isEqualTo(parts[4].first());
    assertThat(keeping.extent().view().parts()).hasSize(4).startsWith(parts[2]);

    // What the two that are gone had is found no more, or in its state of later.
    TreeMap<Key, byte[]> kept = new TreeMap<>();
    TreeMap<Key, byte[]> unwritten = new TreeMap<>();
    BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
    for (long number = parts[2].first(); number < keeping.extent().end(); number++) {
      MemtablePart part = parts[keeping.extent().view().partOf(number, 3) + 2];
      part.decode(number, row);
      Key key = new Key(FAMILIES.table(row.family()), row.key());
      kept.put(key, row.value());
      if (number >= keeping.floor()) {
        unwritten.put(key, row.value());
      }
    }
    expected.forEach(
        (key, value) -> {
          Memtable.Found found = keeping.find(key);
          assertThat(found != null).isEqualTo(kept.containsKey(key));
          assertThat(found == null || Arrays.equals(found.value(), value)).isTrue();
        });
    KeyRange all = KeyRange.ofTable(SINGLE);
    assertThat(texts(rows(keeping.snapshot(List.of(all)), 0))).isEqualTo(texts(unwritten, all));
    assertThat(keeping.beginFlush(keeping.extent(), 1).values().stream().mapToInt(List::size).sum())
        .isPositive()
        .isLessThanOrEqualTo(unwritten.size());
  }

  @Test
  void takesNoMoreAfterAFailure() {
    commit(10);
    memtable.fail(new StoreException("disk error"));
    RowBatch batch = new RowBatch(1);
    batch.add(new Key(SINGLE, new byte[] {1}), new byte[] {1});
    assertThatThrownBy(() -> memtable.add(batch)).isInstanceOf(StoreException.class);
    assertThatThrownBy(memtable::extent).isInstanceOf(StoreException.class);
    assertThatAllIsFound();
  }
}
