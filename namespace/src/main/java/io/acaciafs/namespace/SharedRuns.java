package io.acaciafs.namespace;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * How operations run where several processes tell each other of changes of directories. One that
 * reads rests on what is trusted, and runs again under guards when that did not hold to its end.
 * One that changes directories stops before its commit, has them announced, and runs again. Safe
 * for use by many threads.
 */
final class SharedRuns {
  /** Where nobody has to be told and nothing is trusted. */
  static final Run ALONE = new Run(null, null, null);

  /** The paths of an operation may change while they are announced, but not for ever. */
  private static final int MAX_ANNOUNCEMENTS = 5;

  private final DirectoryTrust trust;
  private final DirectoryChanges changes;

  SharedRuns(DirectoryTrust trust, DirectoryChanges changes) {
    this.trust = trust;
    this.changes = changes;
  }

  /** An operation from its first attempt to its commit. */
  static final class Run {
    private final List<DirectoryTrust.Token> restsOn;
    private final Set<Long> announced;
    private final DirectoryChanges changes;

    private Run(List<DirectoryTrust.Token> restsOn, Set<Long> announced, DirectoryChanges changes) {
      this.restsOn = restsOn;
      this.announced = announced;
      this.changes = changes;
    }

    /** An attempt begins, which rests on nothing yet; null when it must not rest on anything. */
    List<DirectoryTrust.Token> begin() {
      if (restsOn != null) {
        restsOn.clear();
      }
      return restsOn;
    }

    /** An attempt is about to be committed that changes these. */
    void requireAnnounced(Set<Long> directoryIds, Transaction transaction) {
      if (announced == null || directoryIds.isEmpty()) {
        return;
      }
      if (!announced.containsAll(directoryIds)) {
        throw new AnnounceFirstException(directoryIds);
      }
      changes.guard(transaction);
    }
  }

  /**
   * @param operation may be run twice
   */
  <T> CompletableFuture<T> read(Function<Run, CompletableFuture<T>> operation) {
    if (!trust.isOn()) {
      return operation.apply(ALONE);
    }
    Run resting = new Run(new ArrayList<>(), null, changes);
    CompletableFuture<T> answer = operation.apply(resting);
    if (answer.isDone()) {
      return holds(resting) ? answer : operation.apply(ALONE);
    }
    return answer
        .handle((value, failure) -> holds(resting) ? answer : operation.apply(ALONE))
        .thenCompose(same -> same);
  }

  /** After everything was read: it was true until now, whatever it found. */
  private boolean holds(Run run) {
    return run.restsOn.isEmpty() || trust.stillHold(run.restsOn);
  }

  /**
   * @param operation may be run several times
   */
  <T> CompletableFuture<T> write(Function<Run, CompletableFuture<T>> operation) {
    CompletableFuture<T> answer = operation.apply(new Run(null, Set.of(), changes));
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
    return changes
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
      return operation.apply(new Run(null, ids, changes));
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
