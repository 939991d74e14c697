package io.acaciafs.kv.engine;

import static java.util.Objects.requireNonNull;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction keeps back until its commit, in the order in which it was asked for. For
 * engines; enforces the rules of {@link Transaction} on which writes go together. Used by one
 * thread.
 *
 * <p>An engine applies {@link #before}, then {@link #rows} and {@link #deltas}, then {@link
 * #after}. One that is in a hurry walks over {@link #write} instead, which makes no maps.
 */
public final class WriteSet {
  /** Up to so many writes are searched one by one: most transactions have fewer. */
  private static final int MOST_SEARCHED = 16;

  /** What is done to a row, in the order in which engines apply it. */
  public enum Kind {
    BEFORE,
    ROW,
    DELTA,
    AFTER
  }

  /** One row's write. */
  public static final class Write {
    private final Key key;
    private final Kind kind;
    private byte @Nullable [] value;
    private @Nullable Counters delta;

    private Write(Key key, Kind kind) {
      this.key = key;
      this.kind = kind;
    }

    public Key key() {
      return key;
    }

    public Kind kind() {
      return kind;
    }

    /** Null removes the row. Of a row or index row. */
    public byte @Nullable [] value() {
      return value;
    }

    /** Of a {@link Kind#DELTA} alone. */
    public Counters delta() {
      return requireNonNull(delta);
    }

    private boolean isOf(Key otherKey, Kind otherKind) {
      return kind == otherKind && key.equals(otherKey);
    }
  }

  private final List<Write> writes = new ArrayList<>();
  private Set<Key> replaced = Set.of();
  private Set<Key> marks = Set.of();
  private Set<Key> newIndex = Set.of();

  /** By kind, when there are many. */
  private @Nullable Map<Kind, Map<Key, Write>> found;

  public void put(Key key, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("A row without a value: " + key);
    }
    write(key, value);
  }

  /** A put of a row that is there already, most likely. */
  public void replace(Key key, byte[] value) {
    put(key, value);
    if (replaced.isEmpty()) {
      replaced = new HashSet<>();
    }
    replaced.add(key);
  }

  public void delete(Key key) {
    write(key, null);
  }

  private void write(Key key, byte @Nullable [] value) {
    if (find(key, Kind.DELTA) != null) {
      throw mixed(key);
    }
    findOrAdd(key, Kind.ROW).value = value;
  }

  public void add(Key key, Counters delta) {
    if (find(key, Kind.ROW) != null) {
      throw mixed(key);
    }
    Write write = findOrAdd(key, Kind.DELTA);
    write.delta = write.delta == null ? delta : write.delta.plus(delta);
  }

  public void putIndex(Key key, byte[] value) {
    if (value == null) {
      throw new IllegalArgumentException("A row without a value: " + key);
    }
    findOrAdd(key, Kind.BEFORE).value = value;
    if (!marks.isEmpty()) {
      marks.remove(key);
    }
  }

  /** An index row without content, which may be there already. */
  public void putIndexIfAbsent(Key key) {
    putIndex(key, new byte[0]);
    if (marks.isEmpty()) {
      marks = new HashSet<>();
    }
    marks.add(key);
  }

  /** An index row that nothing has written before. */
  public void putNewIndex(Key key, byte[] value) {
    putIndex(key, value);
    if (newIndex.isEmpty()) {
      newIndex = new HashSet<>();
    }
    newIndex.add(key);
  }

  public void deleteIndex(Key key) {
    findOrAdd(key, Kind.AFTER);
  }

  private @Nullable Write find(Key key, Kind kind) {
    if (found != null) {
      return ofKind(found, kind).get(key);
    }
    for (int i = 0; i < writes.size(); i++) {
      Write write = writes.get(i);
      if (write.isOf(key, kind)) {
        return write;
      }
    }
    return null;
  }

  private Write findOrAdd(Key key, Kind kind) {
    Write write = find(key, kind);
    if (write == null) {
      write = new Write(key, kind);
      writes.add(write);
      if (found != null) {
        ofKind(found, kind).put(key, write);
      } else if (writes.size() > MOST_SEARCHED) {
        sort();
      }
    }
    return write;
  }

  private void sort() {
    EnumMap<Kind, Map<Key, Write>> sorted = new EnumMap<>(Kind.class);
    for (Kind kind : Kind.values()) {
      sorted.put(kind, new HashMap<>());
    }
    for (Write write : writes) {
      ofKind(sorted, write.kind).put(write.key, write);
    }
    found = sorted;
  }

  private static Map<Key, Write> ofKind(Map<Kind, Map<Key, Write>> sorted, Kind kind) {
    return requireNonNull(sorted.get(kind));
  }

  public boolean isEmpty() {
    return writes.isEmpty();
  }

  public int size() {
    return writes.size();
  }

  /** In the order in which they were asked for, of all kinds. */
  public Write write(int index) {
    return writes.get(index);
  }

  /** Values to write; a null value removes its row. */
  public Map<Key, byte[]> rows() {
    return valuesOf(Kind.ROW);
  }

  /** Those that are there already, most likely. */
  public Set<Key> replaced() {
    return replaced;
  }

  /** One delta a row; no row has both a value and a delta. */
  public Map<Key, Counters> deltas() {
    Map<Key, Counters> deltas = new LinkedHashMap<>();
    for (Write write : writes) {
      if (write.kind == Kind.DELTA) {
        deltas.put(write.key, write.delta);
      }
    }
    return Collections.unmodifiableMap(deltas);
  }

  /** Index rows to write first. */
  public Map<Key, byte[]> before() {
    return valuesOf(Kind.BEFORE);
  }

  /** Those of them that are marks. */
  public Set<Key> marks() {
    return marks;
  }

  /** Those of them that nothing has written before. */
  public Set<Key> newIndex() {
    return newIndex;
  }

  /** Index rows to remove last. */
  public Set<Key> after() {
    return Collections.unmodifiableSet(new LinkedHashSet<>(valuesOf(Kind.AFTER).keySet()));
  }

  private Map<Key, byte[]> valuesOf(Kind kind) {
    Map<Key, byte[]> values = new LinkedHashMap<>();
    for (Write write : writes) {
      if (write.kind == kind) {
        values.put(write.key, write.value);
      }
    }
    return Collections.unmodifiableMap(values);
  }

  private static IllegalStateException mixed(Key key) {
    return new IllegalStateException("A row is either written or accumulated: " + key);
  }
}
