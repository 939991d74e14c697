package io.acaciafs.kv.hbase.region;

import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.jspecify.annotations.Nullable;

/**
 * A region on a server, from one opening of the region to the next. HBase numbers the openings: a
 * later assignment of a row has a higher number. docs/internals/directory-leases.md describes the
 * protocol.
 *
 * <p>Safe for use by many threads; it only goes forward.
 */
public final class Assignment {
  private final HRegionLocation location;
  private final CompletableFuture<HRegionLocation> found;

  /** Another assignment has a part of the range with a higher number. */
  private volatile boolean isOver;

  /** All other processes have heard of it. */
  private volatile boolean isAnnounced;

  /** Something was written there since all others have known this process. */
  private volatile boolean isProven;

  private boolean isWritten;
  private long lastWriteNs;

  /** Writes that entered and have not left. */
  private int writes;

  private final CompletableFuture<Void> allLeft = new CompletableFuture<>();

  /** Null where none is under way, nor was one successful; guarded by {@link Assignments}. */
  private @Nullable CompletableFuture<Void> announcement;

  /** The next proof, for reads that came after the proof in flight was sent; null if none did. */
  private @Nullable CompletableFuture<Boolean> nextProof;

  private boolean isProofInFlight;

  public Assignment(HRegionLocation location) {
    this.location = location;
    this.found = CompletableFuture.completedFuture(location);
  }

  HRegionLocation location() {
    return location;
  }

  /** The same as a future of the location. */
  CompletableFuture<HRegionLocation> found() {
    return found;
  }

  public RegionInfo region() {
    return location.getRegion();
  }

  public ServerName server() {
    return location.getServerName();
  }

  long number() {
    return location.getSeqNum();
  }

  boolean isThatOf(HRegionLocation other) {
    return location == other
        || number() == other.getSeqNum()
            && region().equals(other.getRegion())
            && server().equals(other.getServerName());
  }

  /** Whether a range has a row of its region. */
  boolean overlaps(byte[] start, byte[] end) {
    return (end.length == 0 || Arrays.compareUnsigned(region().getStartKey(), end) < 0)
        && (region().getEndKey().length == 0
            || Arrays.compareUnsigned(start, region().getEndKey()) < 0);
  }

  public boolean isOver() {
    return isOver;
  }

  /**
   * Ends it: no request uses it any more.
   *
   * @return completes when nothing that was sent by it can take effect, on the thread of the last
   *     one: do not block there
   */
  CompletableFuture<Void> end() {
    synchronized (this) {
      isOver = true;
      if (writes == 0) {
        allLeft.complete(null);
      }
    }
    return allLeft;
  }

  /**
   * Begins a write by it. The write {@linkplain #leave leaves} when it has taken effect or never
   * will.
   *
   * @return false when it is over
   */
  public synchronized boolean enter() {
    writes += isOver ? 0 : 1;
    return !isOver;
  }

  public void leave() {
    boolean isLast;
    synchronized (this) {
      isLast = --writes == 0 && isOver;
    }
    if (isLast) {
      allLeft.complete(null);
    }
  }

  public boolean isAnnounced() {
    return isAnnounced;
  }

  void noteAnnounced() {
    isAnnounced = true;
  }

  /**
   * Something was written there.
   *
   * @param sentNs when it was sent, by System.nanoTime
   */
  synchronized void noteWritten(long sentNs) {
    if (!isWritten || sentNs - lastWriteNs > 0) {
      lastWriteNs = sentNs;
    }
    isWritten = true;
  }

  /** Whether something was written there that was sent after a time. */
  public synchronized boolean wasWrittenAfter(long timeNs) {
    return isWritten && lastWriteNs - timeNs > 0;
  }

  boolean isProven() {
    return isProven;
  }

  public void noteProven() {
    isProven = true;
  }

  @Nullable CompletableFuture<Void> announcement() {
    return announcement;
  }

  void announcement(@Nullable CompletableFuture<Void> next) {
    announcement = next;
  }

  /**
   * Proves by a write that is sent after this call that the server has the region.
   *
   * @param send sends one; called at once, or when the one under way has ended
   * @return completes with whether the server had the region after this call
   */
  public CompletableFuture<Boolean> prove(Proof send) {
    CompletableFuture<Boolean> mine;
    synchronized (this) {
      if (nextProof == null) {
        nextProof = new CompletableFuture<>();
      }
      mine = nextProof;
      if (isProofInFlight) {
        return mine;
      }
    }
    sendNext(send);
    return mine;
  }

  /** Writes something in the region that changes nothing. */
  @FunctionalInterface
  public interface Proof {
    /** Completes with whether it is written; does not fail. */
    CompletableFuture<Boolean> send(Assignment assignment);
  }

  private void sendNext(Proof send) {
    CompletableFuture<Boolean> mine;
    synchronized (this) {
      if (isProofInFlight || nextProof == null) {
        return;
      }
      isProofInFlight = true;
      mine = nextProof;
      nextProof = null;
    }
    send.send(this)
        .whenComplete(
            (isWritten, failure) -> {
              synchronized (this) {
                isProofInFlight = false;
              }
              sendNext(send);
              mine.complete(failure == null && isWritten);
            });
  }

  @Override
  public String toString() {
    return location.toString();
  }
}
