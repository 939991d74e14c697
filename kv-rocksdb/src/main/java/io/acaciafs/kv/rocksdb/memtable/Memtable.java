package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.common.Families;
import io.acaciafs.kv.rocksdb.common.SpinLock;
import io.acaciafs.kv.rocksdb.lock.RowSlots;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * All rows that were committed and are not in RocksDB's files: what the log holds for the next
 * start, in memory. A commit adds its rows, which shows them to readers at once; {@link
 * MemtableLog} adds them to the log from here, and {@link MemtableFlusher} writes what is full into
 * RocksDB.
 *
 * <p>Rows are numbered in the order in which they came, and lie in {@linkplain MemtablePart parts}.
 * Where the newest row of each slot is stands in a table, as in FASTER (Chandramouli et al., 2018);
 * each row knows how far back the one before it is. So a row costs its bytes and a word or two, a
 * search nearly always one look, and nobody has to remove anything: a chain ends where it comes to
 * rows before the first that is left. Partitions have such chains too, which scans follow ({@link
 * MemtableSnapshot}).
 *
 * <p>Safe for use by many threads. An add holds a latch for about a microsecond; readers do not
 * wait. Rows of one key are added under the lock of its slot, one after the other.
 */
public final class Memtable {
  private static final int LOOKS_TOGETHER = 32;

  private final Families families;
  private final PartitionVersions partitions;
  private final int partBytes;
  private final int partsKept;
  private final RowSlots slots;

  /** Of the slots. */
  private final AtomicLongArray newest;

  /** The newest row of each partition, or of each table without partitions. */
  private final AtomicLongArray chains;

  private final SpinLock latch = new SpinLock();
  private volatile MemtableView view = MemtableView.EMPTY;

  /** The number of the next row. Under the latch. */
  private long next = 1;

  private volatile @Nullable Watcher watcher;

  /** Why it takes no more rows; null as long as it does. */
  private volatile @Nullable Throwable failure;

  private volatile long flushCount;

  /** Rows before this number are durable, if the log is replicated; else it says nothing. */
  private volatile long durableEnd = 1;

  /**
   * @param partBytes a part is full when it holds so much
   * @param partsKept so many stay for readers when they have been written
   */
  public Memtable(
      Families families,
      RowSlots slots,
      PartitionVersions partitions,
      int partBytes,
      int partsKept) {
    this.families = families;
    this.slots = slots;
    this.newest = slots.words();
    this.partitions = partitions;
    this.partBytes = partBytes;
    this.partsKept = partsKept;
    this.chains = new AtomicLongArray(partitions.slots());
  }

  /** Where it has its rows, by their hashes. */
  public RowSlots slots() {
    return slots;
  }

  public PartitionVersions partitions() {
    return partitions;
  }

  /** Is told when there is something to write into RocksDB; is to return at once. */
  interface Watcher {
    /** Under the latch. */
    void partIsFull();

    /** A scan had to look at so many rows that it would have been better off with RocksDB. */
    void scanWasLong();
  }

  public void watch(Watcher newWatcher) {
    watcher = newWatcher;
  }

  // ---- writing

  /**
   * Adds the rows of a commit, and shows one after the other.
   *
   * @throws StoreException after {@link #fail}
   */
  public void add(RowBatch batch) {
    latch.lock();
    try {
      checkHealth();
      try {
        MemtablePart part = partWithRoom();
        for (int i = 0; i < batch.size(); i++) {
          add(part, batch.key(i), batch.value(i));
        }
      } catch (Throwable e) {
        fail(e); // a part of it must not get into the log
        throw e;
      }
    } finally {
      latch.unlock();
    }
  }

  private MemtablePart partWithRoom() {
    MemtableView now = view;
    if (!now.isSealed() && now.parts()[now.last()].sizeBytes() < partBytes) {
      return now.parts()[now.last()];
    }
    MemtablePart begun = new MemtablePart(next);
    view = now.with(begun);
    if (watcher != null) {
      watcher.partIsFull();
    }
    return begun;
  }

  /** What comes next goes into another part. */
  public void seal() {
    latch.lock();
    try {
      view = view.sealed();
    } finally {
      latch.unlock();
    }
  }

  private void add(MemtablePart part, Key key, byte @Nullable [] value) {
    part.append(families.number(key.table()), key.bytes(), value);
    link(part, RowSlots.hash(key), chainOf(key.table(), key.bytes(), 0, key.bytes().length));
  }

  private void link(MemtablePart part, int hash, int chain) {
    int slot = RowSlots.newestOf(slots.slotOf(hash));
    part.link(hash, newest.getPlain(slot), chains.getPlain(chain));
    chains.setRelease(chain, next);
    newest.setRelease(slot, next);
    next++;
  }

  /**
   * Takes back a batch that was in the log.
   *
   * @param position of the batch
   * @param from where in the buffer it begins
   * @param to where it ends
   */
  public void recover(long position, byte[] buffer, int from, int to) {
    latch.lock();
    try {
      MemtablePart part = partWithRoom();
      BatchEncoder.forEachRow(buffer, from, to, row -> recover(part, row));
      part.logged(position);
    } finally {
      latch.unlock();
    }
  }

  private void recover(MemtablePart part, BatchEncoder.EncodedRow row) {
    Table table = families.table(row.family());
    part.append(row);
    link(
        part,
        RowSlots.hash(table, row.buffer(), row.keyOffset(), row.keyEnd()),
        chainOf(table, row.buffer(), row.keyOffset(), row.keyEnd()));
  }

  /** All rows that are in here now are durable. */
  public void allDurable() {
    latch.lock();
    try {
      durableEnd = next;
    } finally {
      latch.unlock();
    }
  }

  /** Rows before a number are durable. */
  void durableBefore(long number) {
    durableEnd = Math.max(durableEnd, number);
  }

  /** Whether the newest row of a key's slot is durable. Of a replicated log. */
  public boolean isDurable(Key key) {
    return newestOf(RowSlots.hash(key)) < durableEnd;
  }

  /** The same for all rows of a range; of several partitions it is not certain. */
  public boolean isDurable(KeyRange range) {
    return isInOneChain(range) && chains.getAcquire(chainOf(range)) < durableEnd;
  }

  /** What is durable, for reads. Of a replicated log. */
  public Moment durableMoment() {
    latch.lock();
    try {
      return new Moment(new Extent(view, Math.min(durableEnd, next)), flushCount);
    } finally {
      latch.unlock();
    }
  }

  /**
   * Takes back all rows that are not durable, newest first, and takes rows again after a {@link
   * #fail}. Nobody may read or add meanwhile.
   *
   * @param durable the position of the last batch that is durable
   */
  public void removeUndurable(long durable) {
    latch.lock();
    try {
      BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
      while (next > durableEnd) {
        removeLast(row);
      }
      if (view.parts().length > 0) { // each batch is in one part: those before it had none of them
        view.parts()[view.last()].loggedNoFurther(durable);
      }
      failure = null;
    } finally {
      latch.unlock();
    }
  }

  private void removeLast(BatchEncoder.EncodedRow row) {
    long number = --next;
    MemtablePart part = view.parts()[view.last()];
    part.decode(number, row);
    Table table = families.table(row.family());
    int slot = RowSlots.newestOf(slots.slotOf(part.hash(number)));
    newest.setRelease(slot, part.beforeInSlot(number));
    int chain = chainOf(table, row.buffer(), row.keyOffset(), row.keyEnd());
    chains.setRelease(chain, part.beforeInChain(number));
    part.removeLast(row);
    if (number == part.first()) {
      view = view.withoutLast();
    }
  }

  /**
   * Takes no more rows: a commit is shown in part, or will never be durable.
   *
   * @param cause the first one is what all that comes later is refused with
   */
  public void fail(Throwable cause) {
    if (failure == null) {
      failure = cause;
    }
  }

  private void checkHealth() {
    if (failure != null) {
      throw Failure.of("The store writes no more since it failed", failure);
    }
  }

  // ---- reading

  /** What a row is. */
  public record Found(byte @Nullable [] value) {
    private static final Found REMOVED = new Found(null);

    /** Null: there is no such row. */
    @Override
    public byte @Nullable [] value() {
      return value;
    }
  }

  /** The latest state of a row; null where it is not in here, which says nothing of the row. */
  public @Nullable Found find(Key key) {
    byte[] bytes = key.bytes();
    BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
    int family = families.number(key.table());
    if (!findNewest(RowSlots.hash(key), family, bytes, 0, bytes.length, 0, row)) {
      return null;
    }
    return row.isRemoved() ? Found.REMOVED : new Found(row.value());
  }

  /** The latest state of a row at a moment; null where it was not in here then. */
  public @Nullable Found find(Key key, Moment moment) {
    byte[] bytes = key.bytes();
    int hash = RowSlots.hash(key);
    int family = families.number(key.table());
    MemtableView then = moment.extent().view();
    BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
    long number = beforeEnd(newestOf(hash), moment, MemtablePart::beforeInSlot);
    for (int index = then.last(); number >= then.oldest(); ) {
      index = then.partOf(number, index);
      MemtablePart part = then.parts()[index];
      if (part.hash(number) == hash) {
        part.decode(number, row);
        if (row.family() == family && row.isKey(bytes, 0, bytes.length)) {
          return row.isRemoved() ? Found.REMOVED : new Found(row.value());
        }
      }
      number = part.beforeInSlot(number);
    }
    return null;
  }

  /** Follows a chain, past all that came after a moment. */
  private long beforeEnd(long newestOfChain, Moment moment, Link link) {
    long number = newestOfChain; // first: the view has its part then
    MemtableView now = view;
    long notBefore = Math.max(moment.extent().end(), now.oldest());
    for (int index = now.last(); number >= notBefore; ) {
      index = now.partOf(number, index);
      number = link.before(now.parts()[index], number);
    }
    // Where parts have gone meanwhile that came after the moment, rows were flushed after it.
    return number < moment.extent().end() ? number : -1;
  }

  /** From a row to the one before it in a chain. */
  private interface Link {
    long before(MemtablePart part, long number);
  }

  /** Whether no row of a key's slot has come since a moment. */
  public boolean isSince(Key key, Moment moment) {
    return isSince(key, moment.end());
  }

  /**
   * Whether no row of a key's slot has come since a moment.
   *
   * @param end of the moment
   */
  public boolean isSince(Key key, long end) {
    return newestOf(RowSlots.hash(key)) < end;
  }

  /** The same for the partition of a range. */
  public boolean isSince(KeyRange range, Moment moment) {
    return newestOfChain(chainOf(range)) < moment.end();
  }

  /** Whether a row that is in here has a newer state. */
  private boolean isSuperseded(long number, int hash, BatchEncoder.EncodedRow row) {
    return findNewest(
        hash,
        row.family(),
        row.buffer(),
        row.keyOffset(),
        row.keyEnd(),
        number + 1,
        new BatchEncoder.EncodedRow());
  }

  /**
   * Decodes the newest row of a key.
   *
   * @param notBefore nothing older counts
   * @return false where there is none
   */
  private boolean findNewest(
      int hash,
      int family,
      byte[] key,
      int from,
      int to,
      long notBefore,
      BatchEncoder.EncodedRow row) {
    long number = newestOf(hash); // first: the view has its part then
    MemtableView now = view;
    long oldest = Math.max(notBefore, now.oldest());
    for (int index = now.last(); number >= oldest; ) {
      index = now.partOf(number, index);
      MemtablePart part = now.parts()[index];
      if (part.hash(number) == hash) {
        part.decode(number, row);
        if (row.family() == family && row.isKey(key, from, to)) {
          return true;
        }
      }
      number = part.beforeInSlot(number);
    }
    return false;
  }

  /**
   * The number of the newest row in a slot.
   *
   * @param hash of a key, which {@link RowSlots} makes
   */
  public long newestOf(int hash) {
    return newest.getAcquire(RowSlots.newestOf(slots.slotOf(hash)));
  }

  /** Whether rows of a range may be in here. */
  public boolean mayHoldAnyOf(KeyRange range) {
    return !isInOneChain(range) || chains.getAcquire(chainOf(range)) >= view.floor();
  }

  /** The number of the newest row in a chain. */
  public long newestOfChain(int chain) {
    return chains.getAcquire(chain);
  }

  /**
   * In which chain the rows of a range are.
   *
   * @param range in one partition
   */
  public int chainOf(KeyRange range) {
    return chainOf(range.table(), range.from(), 0, range.from().length);
  }

  /** Which chain a row is in, or one whose key begins as its own. */
  private int chainOf(Table table, byte[] key, int from, int to) {
    return PartitionVersions.watches(table)
        ? partitions.slotOf(table, key, from, to)
        : partitions.slotOf(table);
  }

  private static boolean isInOneChain(KeyRange range) {
    return !PartitionVersions.watches(range.table()) || range.isInOnePartition();
  }

  /**
   * Shows the keys with a prefix, those of removed rows too.
   *
   * @return false where there are more
   */
  public boolean forEachKey(Table table, byte[] prefix, int maxKeys, Consumer<Key> visitor) {
    LatestOfRange rows = snapshot(List.of(KeyRange.ofPrefix(table, prefix))).rows(0, null, maxKeys);
    if (!rows.isEnd()) {
      return false;
    }
    for (MemtableRow row : rows.list()) {
      byte[] key = new byte[row.keyLength()];
      row.copyKey(key, 0);
      visitor.accept(new Key(table, key));
    }
    return true;
  }

  /** How many more rows of a table were put in here than removed. */
  public long putBeyondRemoved(Table table) {
    int family = families.number(table);
    latch.lock();
    try {
      long rows = 0;
      for (MemtablePart part : view.unwritten()) {
        rows += part.put(family) - part.removed(family);
      }
      return rows;
    } finally {
      latch.unlock();
    }
  }

  /** What there is at one moment, between two commits: rows before the number {@code end}. */
  record Extent(MemtableView view, long end) {
    /** The end of what is in a part. What is not durable may have begun in an earlier part. */
    long endIn(MemtablePart part) {
      return part == view.parts()[view.last()] ? end : Math.min(end, part.end());
    }
  }

  /**
   * @throws StoreException after {@link #fail}
   */
  Extent extent() {
    latch.lock();
    try {
      checkHealth();
      return new Extent(view, next);
    } finally {
      latch.unlock();
    }
  }

  /**
   * The current rows, for a caller that reads some of them later. RocksDB has all other rows, until
   * the memtable writes rows out.
   *
   * @param flushCount {@link #flushCount} at that moment
   */
  public record Moment(Extent extent, long flushCount) {
    /** Rows that came later have at least this number. */
    public long end() {
      return extent.end();
    }
  }

  /** Between two commits. */
  public Moment moment() {
    latch.lock();
    try {
      return new Moment(new Extent(view, next), flushCount);
    } finally {
      latch.unlock();
    }
  }

  /** The same rows as {@link #snapshot(List)} would have shown at a moment. */
  public MemtableSnapshot snapshot(List<KeyRange> ranges, Moment moment) {
    long[] heads = new long[ranges.size()];
    for (int i = 0; i < heads.length; i++) {
      KeyRange range = ranges.get(i);
      heads[i] =
          isInOneChain(range)
              ? beforeEnd(chains.getAcquire(chainOf(range)), moment, MemtablePart::beforeInChain)
              : MemtableSnapshot.NO_CHAIN;
    }
    int family = families.number(ranges.get(0).table());
    return new MemtableSnapshot(this, family, ranges, heads, moment.extent());
  }

  /**
   * The rows of a range as they were at a moment, however long ago that is. Each time rows are
   * asked of it all that were in here then are looked at.
   */
  public MemtableSnapshot lastingSnapshot(KeyRange range, Moment moment) {
    return new MemtableSnapshot(
        null,
        families.number(range.table()),
        List.of(range),
        new long[] {MemtableSnapshot.NO_CHAIN},
        moment.extent());
  }

  /**
   * The rows of some ranges at one moment, between two commits.
   *
   * @param ranges of one table
   */
  public MemtableSnapshot snapshot(List<KeyRange> ranges) {
    long[] heads = new long[ranges.size()];
    latch.lock();
    try {
      for (int i = 0; i < heads.length; i++) {
        KeyRange range = ranges.get(i);
        heads[i] =
            isInOneChain(range) ? chains.getPlain(chainOf(range)) : MemtableSnapshot.NO_CHAIN;
      }
      int family = families.number(ranges.get(0).table());
      return new MemtableSnapshot(this, family, ranges, heads, new Extent(view, next));
    } finally {
      latch.unlock();
    }
  }

  /**
   * The number of flushes that have begun. A reader that finds the same number again knows that
   * RocksDB has got none meanwhile that were not in here before.
   */
  public long flushCount() {
    return flushCount;
  }

  /** A scan had to look at many rows. */
  void scanWasLong() {
    if (watcher != null) {
      watcher.scanWasLong();
    }
  }

  // ---- leaving

  /** How many parts take no more rows. */
  int fullParts() {
    return view.full();
  }

  /**
   * The rows of an extent's parts that have no newer state in here, by column family and in the
   * order of their keys. From now on they may come into RocksDB.
   *
   * @param parts how many of them, from the oldest
   */
  Map<Integer, List<MemtableRow>> beginFlush(Extent extent, int parts) {
    latch.lock();
    try {
      flushCount++;
    } finally {
      latch.unlock();
    }
    // Those of one family often come in their order already, so they are sorted by themselves.
    Map<Integer, List<MemtableRow>> flushed = new TreeMap<>();
    for (MemtablePart part : extent.view().unwritten().subList(0, parts)) {
      for (long from = part.first(); from < extent.endIn(part); from += LOOKS_TOGETHER) {
        addLatest(part, from, Math.min(extent.endIn(part), from + LOOKS_TOGETHER), flushed);
      }
    }
    flushed.values().forEach(rows -> rows.sort(null));
    return flushed;
  }

  /**
   * Most rows are the newest of their slots; to find that out is to wait for memory, so it is asked
   * for many at a time.
   */
  private void addLatest(
      MemtablePart part, long from, long to, Map<Integer, List<MemtableRow>> found) {
    long[] newestOfSlots = new long[LOOKS_TOGETHER];
    for (long number = from; number < to; number++) {
      newestOfSlots[(int) (number - from)] = newestOf(part.hash(number));
    }
    BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
    for (long number = from; number < to; number++) {
      part.decode(number, row);
      if (newestOfSlots[(int) (number - from)] == number
          || !isSuperseded(number, part.hash(number), row)) {
        found
            .computeIfAbsent(row.family(), family -> new ArrayList<>())
            .add(new MemtableRow(number, row));
      }
    }
  }

  /**
   * So many more of the oldest parts are in RocksDB's files.
   *
   * @return the position in the log up to which no batch is needed any more; 0: any may be
   */
  long written(int parts) {
    latch.lock();
    try {
      long upTo = parts == 0 ? 0 : view.unwritten().get(parts - 1).logPosition();
      view = view.written(parts, partsKept);
      return upTo;
    } finally {
      latch.unlock();
    }
  }

  /** The number of the first row that may not be in RocksDB, or of the next one that comes. */
  long floor() {
    latch.lock();
    try {
      return Math.min(view.floor(), next);
    } finally {
      latch.unlock();
    }
  }
}
