package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.RegionLocator;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.ipc.RemoteException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region of what is to be read, and finds it again, with pauses that double, where it was
 * not, until the read's time is over. Safe for use by many threads; goes on on any thread.
 */
public final class ReadRetries {
  private static final long FIRST_PAUSE_MS = 5;
  private static final long LONGEST_PAUSE_MS = 1_000;

  private final ClusterClient client;
  private final RegionLocator regions;

  public ReadRetries(ClusterClient client, RegionLocator regions) {
    this.client = client;
    this.regions = regions;
  }

  /**
   * @param send sends the read to the server of the read's assignment
   */
  <R extends PendingRead> void find(R read, Consumer<R> send) {
    regions
        .findLater(read.row(), read.isOwn())
        .whenComplete(
            (assignment, failure) -> {
              if (failure == null) {
                read.useAssignment(assignment);
                send.accept(read);
              } else {
                again(read, Failures.causeOf(failure), send);
              }
            });
  }

  /**
   * The read got no answer, or the answering server may not have had the region.
   *
   * @param failure why; null if it is unknown
   */
  <R extends PendingRead> void again(R read, @Nullable Throwable failure, Consumer<R> send) {
    Throwable why = failure == null ? read.failure() : failure;
    if (why != null) {
      read.note(why);
    }
    if (isForGood(why) || read.isOver() || client.isClosed()) {
      read.fail(why == null ? new java.io.IOException("A region server did not answer") : why);
      return;
    }
    long longestMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS << Math.min(read.nextAttempt(), 16));
    long pauseMs = ThreadLocalRandom.current().nextLong(longestMs / 2, longestMs + 1);
    CompletableFuture.delayedExecutor(pauseMs, TimeUnit.MILLISECONDS, client.callbacks())
        .execute(() -> relocate(read, send));
  }

  private <R extends PendingRead> void relocate(R read, Consumer<R> send) {
    Assignment now = regions.assignments().of(read.row());
    if (now != null && now != read.assignment()) {
      find(read, send); // others have found it
      return;
    }
    regions
        .relocateLater(read.row())
        .whenComplete(
            (place, failure) -> {
              if (failure == null) {
                find(read, send);
              } else {
                again(read, Failures.causeOf(failure), send);
              }
            });
  }

  /** Whether HBase would say the same again. */
  private static boolean isForGood(@Nullable Throwable failure) {
    if (!(failure instanceof java.io.IOException e) || Failures.isNotServed(e)) {
      return false;
    }
    Throwable meant = e instanceof RemoteException remote ? remote.unwrapRemoteException() : e;
    return meant instanceof DoNotRetryIOException;
  }
}
