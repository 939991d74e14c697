package io.acaciafs.blocks;

import java.util.concurrent.atomic.AtomicLong;

/**
 * One number for all that replies say of DataNodes but figures: address, rack, administrative
 * state, liveness, storages. It grows with each change, when the change is in memory and before
 * anybody is told that it was made; so a reply that was made of one version says what is so as long
 * as the version is the same. Silence alone changes liveness without raising it, see {@link
 * Silence}. Safe for use by many threads.
 */
public final class NodeVersion {
  private final AtomicLong version = new AtomicLong();

  NodeVersion() {}

  /** Read it before what it stands for. */
  public long get() {
    return version.get();
  }

  void raise() {
    version.incrementAndGet();
  }
}
