package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.engine.WriteSet;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a transaction commits: its rows, and index rows to write before and to remove after. Used by
 * one thread at a time.
 */
final class CommitPlan {
  private final Map<Key, RowPlan> rows = new LinkedHashMap<>();
  private final List<RowPlan> before = new ArrayList<>(0);
  private final List<RowPlan> after = new ArrayList<>(0);
  private final boolean isIndexSeparate;

  /**
   * @param counters rows that are known to be counters
   */
  CommitPlan(Guards guards, WriteSet writes, SumColumns sums, RecentKeys counters) {
    guards.seen().forEach((key, seen) -> plan(key).guard(seen.state()));
    guards.required().forEach(key -> plan(key).require());
    writes
        .rows()
        .forEach(
            (key, value) -> {
              if (value == null) {
                plan(key).delete();
              } else {
                plan(key).put(value, writes.replaced().contains(key));
              }
            });
    for (Map.Entry<Key, Counters> delta : writes.deltas().entrySet()) {
      Key row = delta.getKey();
      plan(row).accumulate(delta.getValue(), sums.next(row), counters.contains(row));
    }
    Map<Key, RowPlan> index = new HashMap<>();
    boolean separate = false;
    for (Map.Entry<Key, byte[]> entry : writes.before().entrySet()) {
      RowPlan row = new RowPlan(entry.getKey());
      if (writes.marks().contains(entry.getKey())) {
        row.putMarker(entry.getValue());
      } else if (writes.newIndex().contains(entry.getKey())) {
        row.putNew(entry.getValue());
      } else {
        row.put(entry.getValue());
      }
      before.add(row);
      separate |= rows.containsKey(row.key()) || index.put(row.key(), row) != null;
    }
    for (Key key : writes.after()) {
      RowPlan row = new RowPlan(key);
      row.delete();
      after.add(row);
      separate |= rows.containsKey(row.key()) || index.put(row.key(), row) != null;
    }
    isIndexSeparate = separate;
  }

  private RowPlan plan(Key key) {
    return rows.computeIfAbsent(key, RowPlan::new);
  }

  /** Rows that take effect together. */
  Collection<RowPlan> rows() {
    return rows.values();
  }

  List<RowPlan> before() {
    return before;
  }

  List<RowPlan> after() {
    return after;
  }

  /** Has every row read again. */
  void forget() {
    rows.values().forEach(RowPlan::forget);
    before.forEach(RowPlan::forget);
    after.forEach(RowPlan::forget);
  }

  /** Everything, to be written at once; null when a row is written more than once. */
  @Nullable List<RowPlan> together() {
    if (isIndexSeparate) {
      return null;
    }
    List<RowPlan> all = new ArrayList<>(before.size() + rows.size() + after.size());
    all.addAll(rows.values());
    all.addAll(before);
    all.addAll(after);
    return all;
  }
}
