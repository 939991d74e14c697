package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Rows that somebody took for absent when a commit of his failed; it may have failed of something
 * else. The newest few are remembered: whoever tries again reads them. Safe for use by many
 * threads.
 */
final class PresentRows {
  private static final int MOST = 4_096;

  private final Map<Key, Boolean> keys =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Key, Boolean> eldest) {
          return size() > MOST;
        }
      };

  synchronized void add(Key key) {
    keys.put(key, true);
  }

  synchronized boolean contains(Key key) {
    return keys.containsKey(key);
  }
}
