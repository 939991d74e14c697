package io.acaciafs.kv;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What a transaction keeps back until its commit, in the order in which it was asked for. For
 * engines; enforces the rules of {@link Transaction} on which writes go together. Used by one
 * thread.
 *
 * <p>An engine applies {@link #before}, then {@link #rows} and {@link #deltas}, then {@link
 * #after}.
 */
public final class WriteSet {
  private final Map<Key, byte[]> rows = new LinkedHashMap<>();
  private final Map<Key, Counters> deltas = new LinkedHashMap<>();
  private final Map<Key, byte[]> before = new LinkedHashMap<>();
  private final Set<Key> after = new LinkedHashSet<>();

  public void put(Key key, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("A row without a value: " + key);
    }
    write(key, value);
  }

  public void delete(Key key) {
    write(key, null);
  }

  private void write(Key key, byte[] value) {
    if (deltas.containsKey(key)) {
      throw mixed(key);
    }
    rows.put(key, value);
  }

  public void accumulate(Key key, Counters delta) {
    if (rows.containsKey(key)) {
      throw mixed(key);
    }
    deltas.merge(key, delta, Counters::plus);
  }

  public void writeBefore(Key key, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("A row without a value: " + key);
    }
    before.put(key, value);
  }

  public void deleteAfter(Key key) {
    after.add(key);
  }

  public boolean isEmpty() {
    return rows.isEmpty() && deltas.isEmpty() && before.isEmpty() && after.isEmpty();
  }

  /** Values to write; a null value removes its row. */
  public Map<Key, byte[]> rows() {
    return Collections.unmodifiableMap(rows);
  }

  /** One delta a row; no row has both a value and a delta. */
  public Map<Key, Counters> deltas() {
    return Collections.unmodifiableMap(deltas);
  }

  /** Index rows to write first. */
  public Map<Key, byte[]> before() {
    return Collections.unmodifiableMap(before);
  }

  /** Index rows to remove last. */
  public Set<Key> after() {
    return Collections.unmodifiableSet(after);
  }

  private static IllegalStateException mixed(Key key) {
    return new IllegalStateException("A row is either written or accumulated: " + key);
  }
}
