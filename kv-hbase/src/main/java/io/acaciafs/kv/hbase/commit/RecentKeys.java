package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import java.util.LinkedHashMap;
import java.util.Map;

/** A bounded set of keys, which keeps those that were added last. Safe for use by many threads. */
public final class RecentKeys {
  private static final float LOAD = 0.75f;

  private final int most;

  private final Map<Key, Boolean> keys =
      new LinkedHashMap<>(16, LOAD, true) {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
          return size() > most;
        }
      };

  /**
   * @param most remembered at a time
   */
  RecentKeys(int most) {
    this.most = most;
  }

  synchronized void add(Key key) {
    keys.put(key, true);
  }

  public synchronized boolean contains(Key key) {
    return keys.get(key) != null; // which makes it the newest
  }
}
