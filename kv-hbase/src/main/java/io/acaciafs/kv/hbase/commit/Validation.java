package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.schema.RowKeys;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether all that a transaction read held together at one moment, without a lock.
 *
 * <p>Rows that were there are read a second time: a row with the same stamp did not change in
 * between, so all rows held at the moment of the last first read; that row needs no second read,
 * unless something else was read without a guard, perhaps after it. An absent row has no stamp; so
 * its second read is the moment, and the others are read after it. Anything else takes locks.
 */
final class Validation {
  private final TableClient table;

  Validation(TableClient table) {
    this.table = table;
  }

  /** Whether it can be told by reading. */
  static boolean suffices(Guards guards) {
    long absent = guards.seen().values().stream().filter(Validation::isAbsent).count();
    return guards.required().isEmpty()
        && absent <= 1
        && guards.seen().values().stream().allMatch(seen -> seen.state().isSettled());
  }

  /** Whether there is nothing left to find out: what a single row was it was at one moment. */
  static boolean isDone(Guards guards) {
    return suffices(guards)
        && (guards.seen().isEmpty()
            || guards.seen().size() == 1
                && !guards.isReadBeside()
                && guards.seen().values().stream().noneMatch(Guards.Seen::isAssumed));
  }

  /**
   * Completes with whether another transaction had locked a row, so the answer is not known yet.
   */
  CompletableFuture<Boolean> check(Guards guards) {
    List<Map.Entry<Key, Guards.Seen>> rest = new ArrayList<>(guards.seen().entrySet());
    Map.Entry<Key, Guards.Seen> last = guards.isReadBeside() ? null : lastSeen(rest);
    if (last != null && rest.stream().noneMatch(row -> row != last && isAbsent(row.getValue()))) {
      rest.remove(last); // it held when it was read, after all others
      return checkAll(rest);
    }
    for (Map.Entry<Key, Guards.Seen> row : rest) {
      if (isAbsent(row.getValue())) {
        rest.remove(row);
        return checkAll(List.of(row))
            .thenCompose(
                isLocked -> isLocked ? CompletableFuture.completedFuture(true) : checkAll(rest));
      }
    }
    return checkAll(rest);
  }

  /** The row that was seen after all others, if it was read then; else null. */
  private static Map.@Nullable Entry<Key, Guards.Seen> lastSeen(
      List<Map.Entry<Key, Guards.Seen>> rows) {
    Map.Entry<Key, Guards.Seen> last = rows.isEmpty() ? null : rows.get(rows.size() - 1);
    return last == null || last.getValue().isAssumed() ? null : last;
  }

  private CompletableFuture<Boolean> checkAll(List<Map.Entry<Key, Guards.Seen>> rows) {
    if (rows.isEmpty()) {
      return CompletableFuture.completedFuture(false);
    }
    return table
        .readLater(rows.stream().map(row -> RowKeys.of(row.getKey())).toList())
        .thenApply(states -> isAnyLocked(rows, states));
  }

  private static boolean isAnyLocked(
      List<Map.Entry<Key, Guards.Seen>> rows, List<RowState> states) {
    for (int i = 0; i < rows.size(); i++) {
      if (!states.get(i).isSettled()) {
        return true;
      }
      if (!states.get(i).isSameAs(rows.get(i).getValue().state())) {
        throw new ConflictException(rows.get(i).getKey());
      }
    }
    return false;
  }

  private static boolean isAbsent(Guards.Seen seen) {
    return seen.state().cell() == null;
  }
}
