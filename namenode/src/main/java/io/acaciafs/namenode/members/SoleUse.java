package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * A tool's use of a shared store that it reads for a long time. A NameNode may only stand still
 * while the tool looks for it, so those that did not renew are ended for good. Immutable.
 */
public final class SoleUse {
  /** Each waits for the time of a renewal: the tokens of a large store are many. */
  private static final int ATTEMPTS = 50;

  private final Store store;
  private final long nextNumber;

  private SoleUse(Store store, long nextNumber) {
    this.store = store;
    this.nextNumber = nextNumber;
  }

  /**
   * Waits until no member has renewed for the time of a lease, then removes and fences off all that
   * are left: nothing that they wrote takes effect any more, and they end when they go on.
   *
   * @throws StoreException when a NameNode serves, or is not fenced off in time
   */
  public static SoleUse begin(Store store, LeaseTimes times) {
    // Read before the rows: a NameNode that joins from here on changes it.
    SoleUse use = new SoleUse(store, MemberTable.nextNumber(store));
    end(store, MemberTable.awaitStill(store, times.leaseMs()), times);
    fenceOff(store, times);
    return use;
  }

  /** Whether a NameNode has joined since the use began. */
  public boolean isDisturbed() {
    return MemberTable.nextNumber(store) != nextNumber;
  }

  private static void end(Store store, Map<Key, byte[]> stoodStill, LeaseTimes times) {
    try {
      MemberTable.commit(
          store,
          times.leaseMs(),
          transaction -> {
            stoodStill.forEach(
                (key, row) -> {
                  byte[] now = transaction.get(key);
                  if (now == null) {
                    return; // it ended in order
                  }
                  if (!Arrays.equals(now, row)) {
                    throw MemberTable.serves(now);
                  }
                  transaction.delete(key);
                  transaction.put(MemberRow.ended(MemberRow.decode(row).member().number()), row);
                });
            return null;
          });
    } catch (ConflictException e) {
      throw new StoreException("A NameNode serves this store again. Stop it first", e);
    }
  }

  /** Also those that ended in order, or whose end an earlier run of the tool wrote. */
  private static void fenceOff(Store store, LeaseTimes times) {
    MemberFences fences = new MemberFences(store, times);
    for (int i = 0; i < ATTEMPTS; i++) {
      List<Member> ended = MemberTable.ended(store);
      ended.forEach(fences::isFencedOff);
      if (ended.isEmpty()) {
        return;
      }
      fences.await();
      MemberTable.pause(Math.max(1, times.leaseMs() / ATTEMPTS));
    }
    throw new StoreException(
        "A NameNode that ended could not be fenced off in time. Run the command again");
  }
}
