package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.read.UnprovenRead;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** What a transaction depends on. Used by one thread at a time. */
public final class Guards {
  private final Map<Key, Seen> seen = new LinkedHashMap<>();
  private final Set<Key> required = new LinkedHashSet<>();
  private boolean isReadBeside;
  private List<UnprovenRead> unproven = List.of();

  /**
   * A row as it was read.
   *
   * @param isAssumed whether another transaction read it, at a moment before this one's begin
   */
  public record Seen(RowState state, boolean isAssumed) {}

  /**
   * The first read of a row is the one that counts.
   *
   * @return whether this is it
   */
  public boolean add(Key key, Seen row) {
    return seen.putIfAbsent(key, row) == null;
  }

  /** Rows that were not read, but assumed to be absent. */
  Stream<Key> assumedAbsent() {
    return seen.entrySet().stream()
        .filter(row -> row.getValue().isAssumed() && row.getValue().state() == RowState.ABSENT)
        .map(Map.Entry::getKey);
  }

  public void require(Key key) {
    required.add(key);
  }

  /** Something was read that nothing guards but what is guarded beside it. */
  public void noteReadBeside() {
    isReadBeside = true;
  }

  /** Something was read that is to be proven at the end. */
  public void add(UnprovenRead read) {
    if (unproven.isEmpty()) {
      unproven = new ArrayList<>();
    }
    unproven.add(read);
  }

  List<UnprovenRead> unproven() {
    return unproven;
  }

  boolean isReadBeside() {
    return isReadBeside;
  }

  public Map<Key, Seen> seen() {
    return seen;
  }

  Set<Key> required() {
    return required;
  }
}
