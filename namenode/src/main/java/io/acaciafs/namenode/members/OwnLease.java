package io.acaciafs.namenode.members;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * This NameNode's row, and until when it relies on it.
 *
 * <p>The lease counts from before the renewal was <em>sent</em> that is known to have succeeded,
 * and ends a margin early; the others count from after they <em>read</em> it. So this NameNode
 * stops relying on its lease before another one may take it for dead.
 *
 * <p>Taking, renewing and giving back are for one thread at a time; the rest for any.
 */
final class OwnLease {
  private static final int JOIN_ATTEMPTS = 100;
  private static final int SECRET_BYTES = 16;

  private final Store store;
  private final LeaseTimes times;
  private final Member owner;
  private MemberRow row;
  private volatile long reliableUntilNs;
  private volatile boolean isLost;

  private OwnLease(Store store, LeaseTimes times, MemberRow row, long sentNs) {
    this.store = store;
    this.times = times;
    this.row = row;
    this.owner = row.member();
    relyFrom(sentNs);
  }

  /**
   * Writes a row under a number that no member has had.
   *
   * @throws StoreException when the store cannot be written
   */
  static OwnLease take(
      Store store, String host, int port, LeaseTimes times, RandomGenerator random) {
    byte[] secret = new byte[SECRET_BYTES];
    random.nextBytes(secret);
    String text = HexFormat.of().formatHex(secret);
    for (int attempt = 1; ; attempt++) {
      long sentNs = times.nowNs();
      try {
        MemberRow own =
            MemberTable.commit(
                store,
                times.leaseMs(),
                transaction -> {
                  byte[] next = transaction.get(MemberRow.NEXT_NUMBER);
                  long number = next == null ? 1 : ByteBuffer.wrap(next).getLong();
                  transaction.put(
                      MemberRow.NEXT_NUMBER,
                      ByteBuffer.allocate(Long.BYTES).putLong(number + 1).array());
                  long nowMs = times.nowMs();
                  MemberRow first =
                      new MemberRow(new Member(number, host, port, nowMs, text), 0, nowMs);
                  transaction.put(first.key(), first.encode());
                  return first;
                });
        return new OwnLease(store, times, own, sentNs);
      } catch (ConflictException e) {
        if (attempt == JOIN_ATTEMPTS) {
          throw new StoreException("Too many NameNodes start at once", e);
        }
      }
    }
  }

  Member owner() {
    return owner;
  }

  /**
   * Renews the lease, and reads the rows of all members in the same transaction.
   *
   * @return null when the row is gone: the others took this NameNode for dead
   * @throws ConflictException when another process wrote the row
   * @throws StoreException when it is not known whether the row was written
   */
  @Nullable MemberSight renew() {
    long sentNs = times.nowNs();
    // Never the same row twice, also when it is not known what became of the last one: the others
    // would not see that it was written again.
    row = row.renewed(times.nowMs());
    MemberSight sight = write(row);
    if (sight != null) {
      relyFrom(sentNs);
    }
    return sight;
  }

  /** In one request as long as this NameNode wrote the row last. */
  private MemberSight write(MemberRow next) {
    for (boolean isFirst = true; ; isFirst = false) {
      try {
        return MemberTable.commit(
            store,
            times.leaseMs(),
            transaction -> {
              if (transaction.remoteReads().recall(next.key()) == null) {
                return null;
              }
              MemberSight sight =
                  MemberSight.of(
                      transaction.unguarded(), times); // which the commit shows to be true
              transaction.put(next.key(), next.encode());
              return sight;
            });
      } catch (ConflictException e) {
        if (!isFirst) {
          throw e;
        } // else the row is not what the store remembered, and is read now
      }
    }
  }

  private void relyFrom(long sentNs) {
    reliableUntilNs = sentNs + times.reliableNs();
  }

  boolean holds() {
    return !isLost && times.nowNs() - reliableUntilNs < 0;
  }

  /** It never holds again. */
  void lose() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  /**
   * Removes the row, so that no member waits for the end of the lease; the others fence its owner
   * off.
   *
   * @throws ConflictException when another process wrote the row
   * @throws StoreException when it could not be removed in time
   */
  void giveBack() {
    lose();
    MemberTable.commit(
        store,
        times.leaseMs(),
        transaction -> {
          transaction.delete(row.key());
          transaction.put(MemberRow.ended(owner.number()), row.encode());
          return null;
        });
  }
}
