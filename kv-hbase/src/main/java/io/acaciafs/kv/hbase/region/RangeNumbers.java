package io.acaciafs.kv.hbase.region;

import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.hbase.util.Bytes;

/**
 * The highest number that the process heard of for each range of rows. Keeps one number for each
 * piece between two ends of ranges, and merges neighbours with equal numbers: about as many as the
 * table has regions. Used by one thread at a time.
 */
final class RangeNumbers {
  private static final long NONE = Long.MIN_VALUE;

  /** From each of these rows to the next. */
  private final TreeMap<byte[], Long> pieces = new TreeMap<>(Bytes.BYTES_COMPARATOR);

  RangeNumbers() {
    pieces.put(new byte[0], NONE);
  }

  /**
   * @param end the row behind the last one; empty: there is none
   */
  void raise(byte[] start, byte[] end, long number) {
    cutAt(start);
    if (end.length > 0) {
      cutAt(end);
    }
    for (Map.Entry<byte[], Long> piece : within(start, end).entrySet()) {
      piece.setValue(Math.max(piece.getValue(), number));
    }
    join(start, end);
  }

  /** The highest number of any row in the range; lower than all others where there is none. */
  long highest(byte[] start, byte[] end) {
    long highest = pieces.floorEntry(start).getValue();
    for (long number : within(start, end).values()) {
      highest = Math.max(highest, number);
    }
    return highest;
  }

  /** How many pieces there are. */
  int size() {
    return pieces.size();
  }

  private void cutAt(byte[] row) {
    if (!pieces.containsKey(row)) {
      pieces.put(row.clone(), pieces.floorEntry(row).getValue());
    }
  }

  private Map<byte[], Long> within(byte[] start, byte[] end) {
    return end.length == 0 ? pieces.tailMap(start, true) : pieces.subMap(start, true, end, false);
  }

  /** Pieces with the same number as the one before are part of it. */
  private void join(byte[] start, byte[] end) {
    Map.Entry<byte[], Long> before = pieces.lowerEntry(start);
    Long last = before == null ? null : before.getValue();
    var piece = pieces.tailMap(start, true).entrySet().iterator();
    boolean isBehind = false;
    while (piece.hasNext() && !isBehind) {
      Map.Entry<byte[], Long> next = piece.next();
      isBehind = end.length > 0 && Bytes.compareTo(next.getKey(), end) >= 0;
      if (last != null && last.equals(next.getValue())) {
        piece.remove();
      } else {
        last = next.getValue();
      }
    }
  }
}
