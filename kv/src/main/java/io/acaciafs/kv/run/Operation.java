package io.acaciafs.kv.run;

import io.acaciafs.kv.Transaction;

/**
 * What one transaction does. It may run several times, so it has no effect but through the
 * transaction, and keeps nothing from an earlier run.
 *
 * @param <T> the result, handed out once the commit is durable
 * @param <E> how it refuses
 */
@FunctionalInterface
public interface Operation<T, E extends Exception> {
  T run(Transaction transaction) throws E;
}
