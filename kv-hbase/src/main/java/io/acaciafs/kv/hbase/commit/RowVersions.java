package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.Key;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Which rows this process knows to have changed, so that it does not assume what cannot hold. Keys
 * share slots. What others changed is learnt at the commit. Safe for use by many threads.
 */
public final class RowVersions {
  private static final int SLOT_BITS = 16;

  private final AtomicLongArray slots = new AtomicLongArray(1 << SLOT_BITS);

  public long of(Key key) {
    return slots.get(slot(key));
  }

  void changed(Key key) {
    slots.incrementAndGet(slot(key));
  }

  private static int slot(Key key) {
    int hash = key.hashCode() * 0x9E3779B9;
    return hash >>> (32 - SLOT_BITS);
  }
}
