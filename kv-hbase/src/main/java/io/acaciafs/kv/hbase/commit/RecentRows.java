package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.schema.RowCell;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows as this process read or wrote them last, for a transaction that is going to write what
 * depends on them: its commit finds out whether they are that still. A job often renames or removes
 * minutes later what it made: so there is room for many, a part of the heap. Safe for use by many
 * threads.
 */
public final class RecentRows {
  private static final int LARGEST_BYTES = 4_096;
  private static final int PART_OF_HEAP = 16;

  /** What holds a row: an entry, a key, a state, the value as stored and decoded. */
  private static final int BYTES_BESIDE = 256;

  private static final float LOAD = 0.75f;

  private final long mostBytes;
  private final Map<Key, RowState> rows = new LinkedHashMap<>(16, LOAD, true);
  private long bytes;

  /**
   * @param mostBytes of memory, about
   */
  RecentRows(long mostBytes) {
    this.mostBytes = mostBytes;
  }

  static RecentRows forThisHeap() {
    return new RecentRows(Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /** Null where nothing is remembered. */
  public synchronized @Nullable RowState get(Key key) {
    return rows.get(key);
  }

  /** It was read. */
  public synchronized void note(Key key, RowState state) {
    if (!isRecalled(key)) {
      return;
    }
    forget(key);
    if (state.isSettled()
        && state.cell() instanceof RowCell.Value
        && lengthOf(state) <= LARGEST_BYTES) {
      rows.put(key, state);
      bytes += bytesOf(key, state);
      while (bytes > mostBytes) {
        forget(rows.keySet().iterator().next());
      }
    }
  }

  /** Rows keyed by an id are never recalled. */
  private static boolean isRecalled(Key key) {
    return !key.table().isScattered();
  }

  synchronized void forget(Collection<Key> keys) {
    keys.forEach(this::forget);
  }

  private void forget(Key key) {
    RowState known = rows.remove(key);
    bytes -= known == null ? 0 : bytesOf(key, known);
  }

  private static long bytesOf(Key key, RowState state) {
    return BYTES_BESIDE + key.bytes().length + 2L * lengthOf(state);
  }

  private static int lengthOf(RowState state) {
    return Objects.requireNonNull(state.bytes(), "a value has bytes").length;
  }

  /** These were changed in one request. */
  void noteWritten(Collection<RowPlan> written, long stamp) {
    for (RowPlan row : written) {
      if (row.isChanged() && isRecalled(row.key())) {
        note(row.key(), row.change() == RowCell.Change.PUT ? row.written(stamp) : RowState.ABSENT);
      }
    }
  }

  /** These are going to change, it is not known how. */
  void forgetChanged(Collection<RowPlan> changed) {
    forget(changed.stream().filter(RowPlan::isChanged).map(RowPlan::key).toList());
  }
}
