package io.acaciafs.namespace;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads what has to be of one moment from a store that cannot show one: rows are read first that
 * change with everything that is read, and once more afterwards. Stateless.
 */
final class OneMoment {
  /** Where others change something all the time, more of them help little. */
  static final int ATTEMPTS = 5;

  private static final long LONGEST_WAIT_S = 60;

  private OneMoment() {}

  /** What changes with each entry of a directory that comes or goes, or moves between buckets. */
  static List<Key> stampsOf(DirectoryInode directory) {
    return stampsOf(directory.locator(), directory.buckets());
  }

  static List<Key> stampsOf(Locator directory, Buckets buckets) {
    return Arrays.stream(buckets.numbers())
        .mapToObj(bucket -> NamespaceKeys.counters(directory, bucket))
        .toList();
  }

  /**
   * Repeats a read, up to the given number of times, until nothing has changed meanwhile.
   *
   * @param stamps change with everything that is read
   * @param ofSeveral replaces the last result if something has changed each time
   * @throws WouldBlockException where the operation must not wait
   */
  static <T> T read(
      Tree tree, List<Key> stamps, Function<Transaction, T> reading, UnaryOperator<T> ofSeveral) {
    T found = null;
    boolean isOfOneMoment = false;
    for (int i = 0; i < ATTEMPTS && !isOfOneMoment; i++) {
      Transaction attempt = begin(tree, stamps);
      found = reading.apply(attempt);
      isOfOneMoment = holds(attempt);
    }
    return isOfOneMoment ? found : ofSeveral.apply(found);
  }

  /** A further transaction of an operation, which has read the stamps. */
  static Transaction begin(Tree tree, List<Key> stamps) {
    Transaction attempt = tree.beginBeside();
    attempt.readAhead(stamps);
    stamps.forEach(attempt::get);
    return attempt;
  }

  /** Whether the rows that a transaction has read are unchanged. Waits for the store. */
  static boolean holds(Transaction attempt) {
    try {
      attempt.validate().orTimeout(LONGEST_WAIT_S, TimeUnit.SECONDS).join();
      return true;
    } catch (CompletionException e) {
      if (e.getCause() instanceof ConflictException) {
        return false;
      }
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw e;
    }
  }
}
