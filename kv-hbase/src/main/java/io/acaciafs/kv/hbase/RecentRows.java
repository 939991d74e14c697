package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows as this process read or wrote them last, for who is going to write what rests on them: his
 * commit finds out whether they are that still. Safe for use by many threads.
 */
final class RecentRows {
  private static final int MOST = 16_384;
  private static final int LARGEST_BYTES = 4_096;
  private static final float LOAD = 0.75f;

  private final Map<Key, RowState> rows =
      new LinkedHashMap<>(16, LOAD, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, RowState> eldest) {
          return size() > MOST;
        }
      };

  /** Null where nothing is remembered. */
  synchronized RowState get(Key key) {
    return rows.get(key);
  }

  /** It was read. */
  synchronized void note(Key key, RowState state) {
    if (state.isSettled()
        && state.cell() instanceof RowCell.Value
        && state.bytes().length <= LARGEST_BYTES) {
      rows.put(key, state);
    } else {
      rows.remove(key);
    }
  }

  synchronized void forget(Collection<Key> keys) {
    keys.forEach(rows::remove);
  }

  /** These were changed in one request. */
  void noteWritten(Collection<Touched> written, long stamp) {
    for (Touched row : written) {
      if (row.isChanged()) {
        note(row.key(), row.change() == RowCell.Change.PUT ? row.written(stamp) : RowState.ABSENT);
      }
    }
  }

  /** These are going to change, it is not known how. */
  void forgetChanged(Collection<Touched> changed) {
    forget(changed.stream().filter(Touched::isChanged).map(Touched::key).toList());
  }
}
