package io.acaciafs.blocks.datanode;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One version for the data of all DataNodes in replies, except figures: address, rack,
 * administrative state, liveness, storages. It grows with each change, after the change is in
 * memory and before the NameNode acknowledges it. So a reply stays valid as long as the version is
 * the same. Only silence changes liveness without raising it, see {@link Silence}. Safe for use by
 * many threads.
 */
public final class NodeVersion {
  private final AtomicLong version = new AtomicLong();

  public NodeVersion() {}

  /** Read the version before the data. */
  public long get() {
    return version.get();
  }

  void raise() {
    version.incrementAndGet();
  }
}
