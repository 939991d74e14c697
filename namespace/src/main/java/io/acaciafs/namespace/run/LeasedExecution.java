package io.acaciafs.namespace.run;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.lease.AnnounceFirstException;
import io.acaciafs.namespace.lease.DirectoryChanges;
import io.acaciafs.namespace.lease.DirectoryLeases;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs operations that rest on {@link DirectoryLeases}, where several processes run operations on
 * one store.
 *
 * <ul>
 *   <li>An operation that reads runs again, under guards, if a lease that it rested on was revoked
 *       before its end.
 *   <li>An operation that writes enters before its commit, and a revocation of a lease that it
 *       rests on waits until it has left.
 *   <li>An operation that changes directories stops before its commit, has the leases on them
 *       revoked in all processes, and runs again, under guards alone.
 * </ul>
 *
 * <p>Safe for use by many threads.
 */
public final class LeasedExecution {
  /** Of a process that is alone on its store: every operation guards what it depends on. */
  public static final Run ALONE = new Run(null, null, null, null);

  /** Of what waits for no thread; half a minute is promised. */
  private static final long LONGEST_ANSWER_MS = 28_000;

  /** The paths of an operation may change while they are announced, but not for ever. */
  private static final int MAX_ANNOUNCEMENTS = 5;

  private final DirectoryLeases leases;
  private final @Nullable DirectoryChanges changes;
  private final Store store;
  private final long longestAnswerMs;

  public LeasedExecution(DirectoryLeases leases, @Nullable DirectoryChanges changes, Store store) {
    this(leases, changes, store, LONGEST_ANSWER_MS);
  }

  LeasedExecution(
      DirectoryLeases leases,
      @Nullable DirectoryChanges changes,
      Store store,
      long longestAnswerMs) {
    this.leases = leases;
    this.changes = changes;
    this.store = store;
    this.longestAnswerMs = longestAnswerMs;
  }

  /** An operation from its first attempt to its commit. Used by one thread at a time. */
  public static final class Run {
    private final @Nullable DirectoryLeases leases;
    private final @Nullable List<DirectoryLeases.Token> leased;
    private final @Nullable Set<Long> announced;
    private final @Nullable DirectoryChanges changes;

    /** True once the client was asked to repeat the call; null for a read. */
    private @Nullable AtomicBoolean isGivenUp;

    /** Of the attempt that rests on something; null before the first. */
    private @Nullable Transaction attempt;

    /** Null where nothing is written, or all is guarded. */
    private volatile DirectoryLeases.@Nullable Writer writer;

    /**
     * @param leased directories that the attempt depends on by their leases; null: by guards alone
     * @param announced null: it changes no directory
     */
    private Run(
        @Nullable DirectoryLeases leases,
        @Nullable List<DirectoryLeases.Token> leased,
        @Nullable Set<Long> announced,
        @Nullable DirectoryChanges changes) {
      this.leases = leases;
      this.leased = leased;
      this.announced = announced;
      this.changes = changes;
    }

    /**
     * An attempt begins, which rests on nothing yet, or goes on with its transaction, and rests on
     * what it did when it read.
     *
     * @return null when it must not rest on anything
     */
    @Nullable List<DirectoryLeases.Token> begin(Transaction transaction) {
      leave(); // the one before met a conflict, and wrote nothing
      requireAwaited();
      if (leased != null && transaction != attempt) {
        attempt = transaction;
        leased.clear();
      }
      return leased;
    }

    /** An attempt is about to be committed that changes these directories. */
    void beforeCommit(Set<Long> directoryIds, Transaction transaction) {
      requireAwaited();
      if (announced != null && !directoryIds.isEmpty()) {
        if (!announced.containsAll(directoryIds)) {
          throw new AnnounceFirstException(directoryIds);
        }
        Objects.requireNonNull(changes, "directories are shared").guard(transaction);
      }
      if (leased != null && !leased.isEmpty() && transaction.hasWrites()) {
        writer = restedOn().enter(leased);
        if (writer == null) {
          throw new ConflictException(Root.KEY); // the next attempt reads what changed
        }
      }
    }

    /**
     * The repeated call is a run of its own. If that one found nothing to do, the client goes on,
     * and what this one found later would take effect behind its back.
     */
    private void requireAwaited() {
      if (isGivenUp != null && isGivenUp.get()) {
        throw new ConflictException(Root.KEY);
      }
    }

    private void leave() {
      if (writer != null) {
        writer.leave();
        writer = null;
      }
    }

    /** After everything was read: it was true until now, whatever it found. */
    private boolean holds() {
      return leased == null || leased.isEmpty() || restedOn().stillHold(leased);
    }

    private DirectoryLeases restedOn() {
      return Objects.requireNonNull(leases, "the attempt rests on leases");
    }
  }

  private Run resting(@Nullable Set<Long> announced) {
    return new Run(leases, new ArrayList<>(), announced, changes);
  }

  private Run guarding(Set<Long> announced) {
    return new Run(null, null, announced, changes);
  }

  /**
   * @param operation may be run twice
   */
  public <T> CompletableFuture<T> read(Function<Run, CompletableFuture<T>> operation) {
    return read(operation, () -> operation.apply(ALONE));
  }

  /**
   * @param alone what is done where the operation must not rest on anything
   */
  public <T> CompletableFuture<T> read(
      Function<Run, CompletableFuture<T>> operation, Supplier<CompletableFuture<T>> alone) {
    if (!leases.isOn()) {
      return alone.get();
    }
    Run resting = resting(null);
    CompletableFuture<T> answer = operation.apply(resting);
    if (answer.isDone()) {
      return resting.holds() ? answer : alone.get();
    }
    return answer
        .handle((value, failure) -> resting.holds() ? answer : alone.get())
        .thenCompose(same -> same);
  }

  /**
   * @param operation may be run several times
   */
  public <T> CompletableFuture<T> write(Function<Run, CompletableFuture<T>> operation) {
    AtomicBoolean isGivenUp = new AtomicBoolean();
    Function<Run, CompletableFuture<T>> awaited =
        run -> {
          run.isGivenUp = isGivenUp;
          return operation.apply(run);
        };
    CompletableFuture<T> answer =
        leases.isOn()
            ? writeResting(awaited)
            : writeAnnounced(awaited, awaited.apply(guarding(Set.of())));
    return answer.isDone() ? answer : inTime(answer, isGivenUp);
  }

  /**
   * The same, or a failure that asks the client to repeat the call. Then no further attempt begins;
   * one that is being committed may still take effect, and changes of the directories that it
   * relies on wait for its end.
   */
  private <T> CompletableFuture<T> inTime(CompletableFuture<T> answer, AtomicBoolean isGivenUp) {
    return answer
        .thenApply(value -> value)
        .orTimeout(longestAnswerMs, TimeUnit.MILLISECONDS)
        .exceptionallyCompose(
            failure -> {
              if (!(cause(failure) instanceof TimeoutException)) {
                return CompletableFuture.failedFuture(cause(failure));
              }
              isGivenUp.set(true);
              return CompletableFuture.failedFuture(
                  new UnavailableException(
                      "It did not do it in "
                          + longestAnswerMs / 1_000
                          + " s, and may do it still"));
            });
  }

  private <T> CompletableFuture<T> writeResting(Function<Run, CompletableFuture<T>> operation) {
    Run run = resting(Set.of());
    CompletableFuture<T> answer = operation.apply(run);
    if (answer.isDone() && !answer.isCompletedExceptionally() && run.writer != null) {
      run.leave();
      return answer;
    }
    return answer
        .handle((value, failure) -> afterResting(operation, run, answer, cause(failure)))
        .thenCompose(same -> same);
  }

  private <T> CompletableFuture<T> afterResting(
      Function<Run, CompletableFuture<T>> operation,
      Run run,
      CompletableFuture<T> answer,
      Throwable failure) {
    if (run.writer != null) {
      leave(run, failure);
      return answer;
    }
    if (failure instanceof StoreException || run.holds()) {
      return writeAnnounced(operation, answer);
    }
    // Nothing was written, and what was found may not have been true any more.
    return writeAnnounced(operation, operation.apply(guarding(Set.of())));
  }

  private void leave(Run run, Throwable failure) {
    if (isDecided(failure)) {
      run.leave();
    } else {
      // A change of the leased directories has to wait until it cannot take effect any more.
      settled()
          .whenComplete(
              (nothing, failed) -> {
                if (failed == null) {
                  run.leave();
                } // else the store ended: others go on when this process is fenced off
              });
    }
  }

  private CompletableFuture<Void> settled() {
    try {
      return store.session().settle();
    } catch (RuntimeException e) { // it is closed
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> CompletableFuture<T> writeAnnounced(
      Function<Run, CompletableFuture<T>> operation, CompletableFuture<T> answer) {
    if (answer.isDone() && !answer.isCompletedExceptionally()) {
      return answer; // nearly all: what is in directories changes, and not directories
    }
    return answer
        .handle(
            (value, failure) ->
                cause(failure) instanceof AnnounceFirstException first
                    ? announce(operation, first.directoryIds(), 1)
                    : answer)
        .thenCompose(same -> same);
  }

  private <T> CompletableFuture<T> announce(
      Function<Run, CompletableFuture<T>> operation, Set<Long> ids, int count) {
    return Objects.requireNonNull(changes, "directories are shared")
        .announce(ids)
        .thenCompose(
            announced -> {
              CompletableFuture<T> answer = runAnnounced(operation, ids);
              return answer
                  .handle((value, failure) -> cause(failure))
                  .thenCompose(
                      cause -> {
                        if (cause instanceof AnnounceFirstException first) {
                          announced.end();
                          return announceMore(operation, ids, first, count);
                        }
                        if (isDecided(cause)) {
                          announced.end();
                        } else {
                          announced.leaveOpen(); // it may come to be still
                        }
                        return answer;
                      });
            });
  }

  /** Whether the operation has taken effect, or never will. */
  private static boolean isDecided(Throwable failure) {
    return failure == null
        || failure instanceof ConflictException
        || failure instanceof IOException;
  }

  private <T> CompletableFuture<T> runAnnounced(
      Function<Run, CompletableFuture<T>> operation, Set<Long> ids) {
    try {
      return operation.apply(guarding(ids));
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private <T> CompletableFuture<T> announceMore(
      Function<Run, CompletableFuture<T>> operation,
      Set<Long> ids,
      AnnounceFirstException first,
      int count) {
    if (count >= MAX_ANNOUNCEMENTS) {
      return CompletableFuture.failedFuture(new ConflictException(Root.KEY));
    }
    Set<Long> more = new HashSet<>(ids);
    more.addAll(first.directoryIds());
    return announce(operation, more, count + 1);
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }
}
