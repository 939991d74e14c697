package io.acaciafs.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The memory that all connections of a server share for what clients make it hold: requests that
 * have not come whole, those of calls under way, and replies that have not been taken. A few KiB of
 * each connection are not counted, so most calls never come here.
 *
 * <p>When it is used up, those connections are closed that hold most for longest of what only their
 * clients can end, requests not whole and replies not taken: an honest client is done with either
 * in no time, whatever the others do. Where calls under way have it all, whoever wants more waits
 * for their end. For many threads.
 */
final class ConnectionMemory {
  /** What is counted is rounded down to this, so as much of each connection is not counted. */
  static final int GRAIN_BYTES = 16 * 1024;

  private final long limitBytes;
  private final LongSupplier nanoClock;
  private final Set<Share> shares = new HashSet<>();
  private final Queue<Share> waiting = new ArrayDeque<>();
  private long usedBytes;
  private volatile boolean isFull;

  /** The connection behind a share. Told by any thread, so it only takes note. */
  interface Holder {
    /** It is to be closed; its memory counts as free already. */
    void evicted();

    /** There may be room now for what was refused. */
    void mayGoOn();
  }

  ConnectionMemory(long limitBytes, LongSupplier nanoClock) {
    this.limitBytes = limitBytes;
    this.nanoClock = nanoClock;
  }

  long limitBytes() {
    return limitBytes;
  }

  /** Whether nobody should take more than he needs to go on. */
  boolean isFull() {
    return isFull;
  }

  synchronized long usedBytes() {
    return usedBytes;
  }

  Share share(Holder holder) {
    return new Share(holder);
  }

  /** What one connection holds. For its network thread. */
  final class Share {
    private final Holder holder;
    private long requestBytes;
    private long replyBytes;
    private long callBytes;
    private long countedBytes;
    private long sinceNanos;
    private volatile boolean isEvicted;
    private boolean isWaiting;

    private Share(Holder holder) {
      this.holder = holder;
    }

    /**
     * A request that has not come whole is to take so many bytes.
     *
     * @return false if there is no room; then the holder is told when there may be
     */
    boolean growRequest(long bytes) {
      return !isEvicted && set(bytes, replyBytes, callBytes, true);
    }

    /** A request that has not come whole takes so many bytes and no more, perhaps none. */
    void request(long bytes) {
      set(bytes, replyBytes, callBytes, false);
    }

    /** The client has not taken so many bytes of its replies, perhaps none. */
    void replies(long bytes) {
      set(requestBytes, bytes, callBytes, false);
    }

    /** A call with a request of so many bytes has begun; of a negative number: has ended. */
    void calls(int bytes) {
      set(requestBytes, replyBytes, callBytes + bytes, false);
    }

    /** The connection has ended; calls may go on. */
    void close() {
      synchronized (ConnectionMemory.this) {
        waiting.remove(this);
      }
      set(0, 0, callBytes, false);
    }

    private boolean set(long request, long replies, long calls, boolean mayWait) {
      if (counted(request, replies, calls) == countedBytes) {
        note(request, replies, calls);
        return true;
      }
      return resize(this, request, replies, calls, mayWait);
    }

    /** Calls go on when the connection has been closed. */
    private long counted(long request, long replies, long calls) {
      return (isEvicted ? calls : request + replies + calls) & -GRAIN_BYTES;
    }

    private void note(long request, long replies, long calls) {
      if (requestBytes + replyBytes == 0 && request + replies > 0) {
        sinceNanos = nanoClock.getAsLong();
      }
      requestBytes = request;
      replyBytes = replies;
      callBytes = calls;
    }

    /** What the client alone can end, times how long it has lasted. */
    private double burden(long nowNanos) {
      return isEvicted
          ? 0
          : (double) (requestBytes + replyBytes) * Math.max(1, nowNanos - sinceNanos);
    }
  }

  private boolean resize(Share share, long request, long replies, long calls, boolean mayWait) {
    List<Share> evicted = new ArrayList<>();
    List<Share> woken = List.of();
    boolean isGranted;
    synchronized (this) {
      isGranted = !mayWait || mayGrow(share, request + replies, calls, evicted);
      if (isGranted) {
        count(share, share.counted(request, replies, calls));
        share.note(request, replies, calls);
        if (!mayWait && usedBytes > limitBytes) {
          makeRoom(share, 0, evicted);
        }
      } else if (!share.isWaiting) {
        share.isWaiting = true;
        waiting.add(share);
      }
      if (usedBytes < limitBytes && isGranted && !waiting.isEmpty()) {
        woken = List.copyOf(waiting);
        woken.forEach(each -> each.isWaiting = false);
        waiting.clear();
      }
      isFull = usedBytes >= limitBytes;
    }
    evicted.forEach(each -> each.holder.evicted());
    woken.forEach(each -> each.holder.mayGoOn());
    return isGranted;
  }

  private boolean mayGrow(Share share, long bytes, long calls, List<Share> evicted) {
    long more = share.counted(bytes, 0, calls) - share.countedBytes;
    if (!share.isEvicted && usedBytes + more > limitBytes) {
      makeRoom(share, more, evicted);
    }
    return !share.isEvicted && usedBytes + more <= limitBytes;
  }

  private void count(Share share, long bytes) {
    usedBytes += bytes - share.countedBytes;
    share.countedBytes = bytes;
    if (bytes > 0) {
      shares.add(share);
    } else {
      shares.remove(share);
    }
  }

  /**
   * Takes from those who are a greater burden than this one. The greatest burden of all is left to
   * itself when it wants more: it waits, until somebody else wants its memory.
   *
   * @param more what is wanted, bytes
   */
  private void makeRoom(Share share, long more, List<Share> evicted) {
    long nowNanos = nanoClock.getAsLong();
    double own = share.burden(nowNanos);
    while (usedBytes + more > limitBytes) {
      Share worst = null;
      double most = own;
      for (Share each : shares) {
        double burden = each.burden(nowNanos);
        if (each != share && burden > most) {
          worst = each;
          most = burden;
        }
      }
      if (worst == null) {
        return;
      }
      worst.isEvicted = true;
      count(worst, worst.counted(0, 0, worst.callBytes));
      evicted.add(worst);
    }
  }
}
