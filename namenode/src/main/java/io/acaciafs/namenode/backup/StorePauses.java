package io.acaciafs.namenode.backup;

import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.namenode.members.MemberTable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Times in which this NameNode commits nothing but its own lease, so that a copy of the store is of
 * one moment. One at a time, each with a name, and none longer than it was asked for: the NameNode
 * that asked may have died. Safe for use by many threads.
 */
public final class StorePauses implements AutoCloseable {
  private final Snapshots snapshots;
  private final ScheduledExecutorService timer;
  private @Nullable String name;
  private @Nullable ScheduledFuture<?> longest;

  /**
   * @param timer ends a pause that is not ended otherwise
   */
  public StorePauses(Snapshots snapshots, ScheduledExecutorService timer) {
    this.snapshots = snapshots;
    this.timer = timer;
  }

  /**
   * Begins one; may be repeated if the answer was lost. Blocks until all commits have ended.
   *
   * @return false when they do not end in half of the time
   * @throws IOException during another one
   */
  synchronized boolean begin(String newName, long longestMs) throws IOException {
    if (newName.equals(name)) {
      return true;
    }
    if (name != null) {
      throw new IOException("Another backup is being made, try again later");
    }
    try {
      if (!snapshots.pause(longestMs / 2, MemberTable.table())) {
        return false;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while commits were to end");
    }
    name = newName;
    longest = timer.schedule(() -> end(newName), longestMs, TimeUnit.MILLISECONDS);
    return true;
  }

  /** Ends it, and returns whether it lasted until now. */
  synchronized boolean end(String ended) {
    if (!ended.equals(name)) {
      return false;
    }
    Objects.requireNonNull(longest, "the pause has begun").cancel(false);
    name = null;
    snapshots.resume();
    return true;
  }

  @Override
  public synchronized void close() {
    if (name != null) {
      end(name);
    }
  }
}
