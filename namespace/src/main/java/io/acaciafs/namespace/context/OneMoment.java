package io.acaciafs.namespace.context;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Reads what has to be of one moment from a store that cannot show one: rows are read first that
 * change with everything that is read, and once more afterwards. Stateless.
 */
public final class OneMoment {
  /** Where others change something all the time, more of them help little. */
  public static final int ATTEMPTS = 5;

  private static final long LONGEST_WAIT_S = 60;

  private OneMoment() {}

  /**
   * Repeats a read, up to the given number of times, until nothing has changed meanwhile.
   *
   * @param attempts the most
   * @param stamps change with everything that is read
   * @param ofSeveral replaces the last result if something has changed each time
   * @throws WouldBlockException where the operation must not wait
   */
  public static <T> T read(
      OperationContext context,
      int attempts,
      List<Key> stamps,
      Function<Transaction, T> reading,
      UnaryOperator<T> ofSeveral) {
    Transaction attempt = begin(context, stamps);
    T found = reading.apply(attempt);
    boolean isOfOneMoment = holds(attempt);
    for (int i = 1; i < attempts && !isOfOneMoment; i++) {
      attempt = begin(context, stamps);
      found = reading.apply(attempt);
      isOfOneMoment = holds(attempt);
    }
    return isOfOneMoment ? found : ofSeveral.apply(found);
  }

  /** A further transaction of an operation, which has read the stamps. */
  public static Transaction begin(OperationContext context, List<Key> stamps) {
    Transaction attempt = context.beginBeside();
    attempt.remoteReads().prefetch(stamps);
    stamps.forEach(attempt::get);
    return attempt;
  }

  /** Whether the rows that a transaction has read are unchanged. Waits for the store. */
  public static boolean holds(Transaction attempt) {
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
