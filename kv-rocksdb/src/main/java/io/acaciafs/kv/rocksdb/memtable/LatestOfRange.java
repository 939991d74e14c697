package io.acaciafs.kv.rocksdb.memtable;

import io.acaciafs.kv.KeyRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first rows of a range by their keys, each in its latest state, out of rows of all kinds in
 * any order. Never holds many more than are wanted. Used by one thread.
 */
final class LatestOfRange {
  private final int family;
  private final byte[] from;
  private final byte @Nullable [] to;
  private final @Nullable MemtableRow after;
  private final int wanted;
  private final BatchEncoder.EncodedRow row = new BatchEncoder.EncodedRow();
  private List<MemtableRow> found = new ArrayList<>();

  /** Nothing behind it is wanted any more; null for as long as everything is. */
  private @Nullable MemtableRow last;

  /**
   * @param after nothing before it nor itself; null: from the range's beginning
   */
  LatestOfRange(int family, KeyRange range, @Nullable MemtableRow after, int wanted) {
    this.family = family;
    this.from = range.from();
    this.to = range.to();
    this.after = after;
    this.wanted = wanted;
  }

  void look(MemtablePart part, long number) {
    part.decode(number, row);
    if (row.family() == family && isWanted()) {
      found.add(new MemtableRow(number, row));
      if (found.size() >= 2L * wanted) {
        keepWanted();
      }
    }
  }

  private boolean isWanted() {
    return row.compareKey(from) >= 0
        && (to == null || row.compareKey(to) < 0)
        && (last == null || last.compareKey(row.buffer(), row.keyOffset(), row.keyEnd()) >= 0)
        && (after == null || after.compareKey(row.buffer(), row.keyOffset(), row.keyEnd()) < 0);
  }

  private void keepWanted() {
    found.sort(null);
    List<MemtableRow> latest = new ArrayList<>(Math.min(wanted, found.size()));
    for (MemtableRow each : found) {
      if (latest.isEmpty() || !each.hasKeyOf(latest.get(latest.size() - 1))) {
        if (latest.size() == wanted) {
          last = latest.get(wanted - 1);
          break;
        }
        latest.add(each);
      }
    }
    found = latest;
  }

  /** All rows were looked at. */
  void end() {
    keepWanted();
  }

  /** What was found, in the order of keys; after the end. */
  List<MemtableRow> list() {
    return found;
  }

  /** Whether there are no more in the range. */
  boolean isEnd() {
    return last == null;
  }
}
