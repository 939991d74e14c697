package io.acaciafs.kv.raft.compare;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.raft.compare.ComparedMember.UnansweredException;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rows of a range as one member has them, fetched some at a time. Used by one thread. */
final class RowHashes {
  private static final int ROWS_TOGETHER = 500;

  private final ComparedMember member;
  private final KeyRange range;
  private List<RowHash> rows = List.of();
  private int next;
  private boolean isEnd;

  RowHashes(ComparedMember member, KeyRange range) {
    this.member = member;
    this.range = range;
  }

  ComparedMember member() {
    return member;
  }

  /** The key of the next row; null: there is none. */
  byte @Nullable [] key() throws UnansweredException, InterruptedException {
    if (next == rows.size() && !isEnd) {
      KeyRange left = rows.isEmpty() ? range : range.startingAfter(rows.get(rows.size() - 1).key());
      rows = member.list(left, ROWS_TOGETHER);
      isEnd = rows.size() < ROWS_TOGETHER;
      next = 0;
    }
    return next < rows.size() ? rows.get(next).key() : null;
  }

  /** What it has under a key, which is passed; null: no row. */
  @Nullable Long take(byte[] key) throws UnansweredException, InterruptedException {
    byte[] own = key();
    return own != null && Arrays.equals(own, key) ? Long.valueOf(rows.get(next++).hash()) : null;
  }
}
