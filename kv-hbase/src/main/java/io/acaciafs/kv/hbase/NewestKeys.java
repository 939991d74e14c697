package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import java.util.LinkedHashMap;
import java.util.Map;

/** Some keys, of which the newest few are remembered. Safe for use by many threads. */
final class NewestKeys {
  private final int most;

  private final Map<Key, Boolean> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
          return size() > most;
        }
      };

  /**
   * @param most remembered at a time
   */
  NewestKeys(int most) {
    this.most = most;
  }

  synchronized void add(Key key) {
    keys.put(key, true);
  }

  synchronized boolean contains(Key key) {
    return keys.containsKey(key);
  }
}
