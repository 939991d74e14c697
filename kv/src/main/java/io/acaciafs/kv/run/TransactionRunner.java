package io.acaciafs.kv.run;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations as transactions, and runs them again after a conflict: up to {@link
 * #MAX_ATTEMPTS} times, with a jittered pause that doubles. What an operation returned or threw is
 * handed on only after its guards were found to hold, so a refusal is as true as a result.
 *
 * <p>The first attempt runs on the caller's thread, later ones on the executor's. Safe for use by
 * many threads; owns neither the store nor the executor.
 */
public final class TransactionRunner {
  /** With pauses of up to 100 ms at the end, about a second in all. */
  public static final int MAX_ATTEMPTS = 24;

  private static final long FIRST_PAUSE_MICROS = 50;
  private static final long LONGEST_PAUSE_MICROS = 100_000;

  /**
   * What follows when the transaction has ended.
   *
   * @param <T> what the operation returned
   * @param <R> what is handed on
   */
  public interface Conclusion<T, R> {
    /** Whatever it throws is handed on in the place of a result. */
    R committed(T value) throws Exception;

    /** Nothing took effect, or nobody knows. */
    void failed();

    /** Nothing does. */
    static <T> Conclusion<T, T> none() {
      return new Conclusion<>() {
        @Override
        public T committed(T value) {
          return value;
        }

        @Override
        public void failed() {}
      };
    }
  }

  private final Store store;
  private final ScheduledExecutorService retries;
  private final RandomGenerator random;
  private final LongAdder conflicts = new LongAdder();

  /**
   * @param retries runs second and later attempts
   * @param random jitter of the pauses; safe for use by many threads
   */
  public TransactionRunner(Store store, ScheduledExecutorService retries, RandomGenerator random) {
    this.store = store;
    this.retries = retries;
    this.random = random;
  }

  public Store store() {
    return store;
  }

  /** How many attempts ended in a conflict since the start. */
  public long conflicts() {
    return conflicts.sum();
  }

  /**
   * Runs an operation and commits what it writes.
   *
   * @return the operation's result once it is durable, or its exception, or {@link
   *     ConflictException} when every attempt met a conflict, or {@link StoreException}
   */
  public <T> CompletableFuture<T> submit(Operation<T, ?> operation) {
    return submit(operation, Conclusion.none());
  }

  /** The same with what follows. */
  public <T, R> CompletableFuture<R> submit(
      Operation<T, ?> operation, Conclusion<T, R> conclusion) {
    return run(operation, Transaction::commit, conclusion);
  }

  /**
   * Runs an operation that writes nothing. Unlike {@link #submit} it does not wait until what it
   * saw is durable.
   */
  public <T> CompletableFuture<T> read(Operation<T, ?> operation) {
    return read(operation, Conclusion.none());
  }

  /** The same with what follows. */
  public <T, R> CompletableFuture<R> read(Operation<T, ?> operation, Conclusion<T, R> conclusion) {
    return run(operation, Transaction::validate, conclusion);
  }

  /**
   * As {@link #read} on a thread that must not wait: whenever a row has come that the operation had
   * to have, the operation runs again from its beginning. Attempts after a conflict wait, on the
   * executor's threads.
   *
   * @param here runs the operation when a row has come, and must not wait either
   * @return fails with {@link WouldBlockException} where the operation has to be {@link #read} on a
   *     thread that may wait
   */
  public <T, R> CompletableFuture<R> readNonBlocking(
      Operation<T, ?> operation, Conclusion<T, R> conclusion, Executor here) {
    CompletableFuture<R> result = new CompletableFuture<>();
    try {
      readOn(store.beginNonBlocking(), operation, conclusion, here, result);
    } catch (RuntimeException e) {
      fail(result, e, conclusion);
    }
    return result;
  }

  private <T, R> void readOn(
      Transaction transaction,
      Operation<T, ?> operation,
      Conclusion<T, R> conclusion,
      Executor here,
      CompletableFuture<R> result) {
    Attempt<T> attempt = attempt(transaction, operation, Transaction::validate);
    if (attempt.thrown() instanceof WouldBlockException missing && missing.arrival() != null) {
      goOn(
          missing.arrival(),
          here,
          failure -> {
            if (failure == null) {
              readOn(transaction, operation, conclusion, here, result);
            } else {
              fail(result, unwrap(failure), conclusion);
            }
          },
          refused -> fail(result, refused, conclusion));
    } else {
      Runnable conclude =
          () -> conclude(attempt, operation, Transaction::validate, 1, conclusion, result);
      if (attempt.committed().isDone()) {
        conclude.run();
      } else {
        goOn(
            attempt.committed(),
            here,
            failure -> conclude.run(),
            refused -> fail(result, refused, conclusion));
      }
    }
  }

  /**
   * @param next is told how it ended: null when well
   * @param end is told when nobody goes on any more
   */
  private static void goOn(
      CompletableFuture<?> awaited,
      Executor here,
      Consumer<Throwable> next,
      Consumer<Throwable> end) {
    awaited
        .handleAsync(
            (value, failure) -> {
              next.accept(failure);
              return value;
            },
            here)
        .whenComplete(
            (value, refused) -> {
              if (refused != null) {
                end.accept(unwrap(refused));
              }
            });
  }

  private <T, R> CompletableFuture<R> run(
      Operation<T, ?> operation, End end, Conclusion<T, R> conclusion) {
    Attempt<T> first = attempt(operation, end);
    CompletableFuture<R> result = new CompletableFuture<>();
    if (first.held()) {
      complete(result, first, conclusion);
    } else {
      conclude(first, operation, end, 1, conclusion, result);
    }
    return result;
  }

  private static <T, R> void complete(
      CompletableFuture<R> result, Attempt<T> attempt, Conclusion<T, R> conclusion) {
    if (attempt.thrown() != null) {
      fail(result, attempt.thrown(), conclusion);
      return;
    }
    R value;
    try {
      value = conclusion.committed(attempt.result());
    } catch (Throwable e) { // whatever it is, the caller waits for it
      result.completeExceptionally(e);
      return;
    }
    result.complete(value);
  }

  private static void fail(
      CompletableFuture<?> result, Throwable cause, Conclusion<?, ?> conclusion) {
    conclusion.failed();
    result.completeExceptionally(cause);
  }

  /** How a transaction ends whose operation returned. */
  @FunctionalInterface
  private interface End {
    CompletableFuture<Void> of(Transaction transaction);
  }

  /** What came of running an operation once; true when {@code committed} says so. */
  private record Attempt<T>(
      @Nullable T value, @Nullable Throwable thrown, CompletableFuture<Void> committed) {
    /** What the operation returned, which may be null if its type allows it. */
    @SuppressWarnings("NullAway") // T is then nullable itself
    T result() {
      return value;
    }

    /** Whether it is known by now that the guards held. */
    boolean held() {
      return committed.isDone() && !committed.isCompletedExceptionally();
    }
  }

  private <T> Attempt<T> attempt(Operation<T, ?> operation, End end) {
    Transaction transaction;
    try {
      transaction = store.begin();
    } catch (RuntimeException e) {
      return new Attempt<>(null, e, failed(e));
    }
    return attempt(transaction, operation, end);
  }

  private static <T> Attempt<T> attempt(
      Transaction transaction, Operation<T, ?> operation, End end) {
    try {
      T value = operation.run(transaction);
      return new Attempt<>(value, null, end.of(transaction));
    } catch (Throwable e) { // whatever it is, the caller waits for it
      return new Attempt<>(null, e, isRefusal(e) ? validate(transaction) : failed(e));
    }
  }

  private <T, R> void conclude(
      Attempt<T> attempt,
      Operation<T, ?> operation,
      End end,
      int count,
      Conclusion<T, R> conclusion,
      CompletableFuture<R> result) {
    attempt.committed.whenComplete(
        (nothing, failure) -> {
          Throwable cause = unwrap(failure);
          if (cause instanceof ConflictException) {
            conflicts.increment();
            again(operation, end, count, conclusion, result, cause);
          } else if (cause != null) {
            fail(result, cause, conclusion);
          } else {
            complete(result, attempt, conclusion);
          }
        });
  }

  /** Whether it is the operation's own word, which rests on what it read. */
  private static boolean isRefusal(Throwable thrown) {
    return thrown instanceof Exception
        && !(thrown instanceof ConflictException)
        && !(thrown instanceof StoreException)
        && !(thrown instanceof WouldBlockException);
  }

  private static CompletableFuture<Void> validate(Transaction transaction) {
    try {
      return transaction.validate();
    } catch (RuntimeException e) { // the store ended in between, or the operation used it up
      return failed(e);
    }
  }

  private static <T> CompletableFuture<T> failed(Throwable cause) {
    return CompletableFuture.failedFuture(cause);
  }

  private <T, R> void again(
      Operation<T, ?> operation,
      End end,
      int count,
      Conclusion<T, R> conclusion,
      CompletableFuture<R> result,
      Throwable conflict) {
    if (count >= MAX_ATTEMPTS) {
      fail(result, conflict, conclusion);
      return;
    }
    long longest = Math.min(LONGEST_PAUSE_MICROS, FIRST_PAUSE_MICROS << Math.min(count, 20));
    try {
      retries.schedule(
          () -> conclude(attempt(operation, end), operation, end, count + 1, conclusion, result),
          random.nextLong(longest / 2, longest + 1),
          TimeUnit.MICROSECONDS);
    } catch (RuntimeException e) {
      fail(result, e, conclusion); // the executor is shut down
    }
  }

  private static Throwable unwrap(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
