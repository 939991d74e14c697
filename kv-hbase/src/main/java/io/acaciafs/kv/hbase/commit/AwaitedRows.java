package io.acaciafs.kv.hbase.commit;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the rows that transactions await without a thread. There are so few that a transaction
 * that waits behind all of them waits no longer than for one slow request. Safe for use by many
 * threads.
 */
public final class AwaitedRows {
  private static final int MOST = 4_096;

  private final AtomicInteger awaited = new AtomicInteger();

  /** Adds rows if there is room; the caller then {@linkplain #remove removes} them. */
  public boolean tryAdd(int count) {
    boolean hasRoom = awaited.addAndGet(count) <= MOST;
    if (!hasRoom) {
      awaited.addAndGet(-count);
    }
    return hasRoom;
  }

  public void remove(int count) {
    awaited.addAndGet(-count);
  }
}
