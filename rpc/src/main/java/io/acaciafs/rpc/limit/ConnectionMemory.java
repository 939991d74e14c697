package io.acaciafs.rpc.limit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * The memory budget that all connections of a server share. It counts incomplete requests, requests
 * of calls under way, and replies that clients have not read. The first few KiB of each connection
 * are not counted, so most calls never come here.
 *
 * <p>When the budget is used up, the server closes the connections that have held most memory for
 * longest. Only incomplete requests and unread replies count here: an honest client completes
 * either soon. If calls under way hold the whole budget, a connection that needs more waits for
 * them to end. For many threads.
 */
public final class ConnectionMemory {
  /**
   * Counts are rounded down to a multiple of this, so the first bytes of each connection are not
   * counted.
   */
  public static final int GRAIN_BYTES = 16 * 1024;

  private final long limitBytes;
  private final LongSupplier nanoClock;
  private final Set<Share> shares = new HashSet<>();
  private final Queue<Share> waiting = new ArrayDeque<>();
  private final AtomicLong shareCount = new AtomicLong();
  private long usedBytes;
  private volatile boolean isFull;

  /** The connection that owns a share. Any thread calls it, so it only records the event. */
  public interface Holder {
    /** The connection has to close; its memory counts as free already. */
    void evicted();

    /** There may be room now for the refused bytes. */
    void memoryFreed();
  }

  public ConnectionMemory(long limitBytes, LongSupplier nanoClock) {
    this.limitBytes = limitBytes;
    this.nanoClock = nanoClock;
  }

  public long limitBytes() {
    return limitBytes;
  }

  /** Whether a connection should take no more memory than it needs to go on. */
  public boolean isFull() {
    return isFull;
  }

  public synchronized long usedBytes() {
    return usedBytes;
  }

  public Share share(Holder holder) {
    return new Share(holder, shareCount.getAndIncrement());
  }

  /** What one connection holds. For its network thread. */
  public final class Share {
    private final Holder holder;
    private final long number;
    private long requestBytes;
    private long replyBytes;
    private long callBytes;
    private long countedBytes;
    private long sinceNanos;
    private volatile boolean isEvicted;
    private boolean isWaiting;

    private Share(Holder holder, long number) {
      this.holder = holder;
      this.number = number;
    }

    /**
     * An incomplete request needs this many bytes.
     *
     * @return false if there is no room; the holder gets a call when there may be
     */
    public boolean growRequest(long bytes) {
      return !isEvicted && set(bytes, replyBytes, callBytes, true);
    }

    /** The incomplete request now takes this many bytes; 0: there is none. */
    public void request(long bytes) {
      set(bytes, replyBytes, callBytes, false);
    }

    /** The client has this many bytes of replies to read; 0: none. */
    public void replies(long bytes) {
      set(requestBytes, bytes, callBytes, false);
    }

    /** A call with a request of this many bytes has begun; a negative number: has ended. */
    public void calls(int bytes) {
      set(requestBytes, replyBytes, callBytes + bytes, false);
    }

    /** The connection has ended; calls may go on. */
    public void close() {
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

    /** The bytes that only the client can release, times how long it has held them. */
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
      }
      boolean mayHaveFreed = isGranted || !evicted.isEmpty();
      if (usedBytes < limitBytes && mayHaveFreed && !waiting.isEmpty()) {
        woken = List.copyOf(waiting);
        woken.forEach(each -> each.isWaiting = false);
        waiting.clear();
      }
      if (!isGranted && !share.isWaiting) {
        share.isWaiting = true;
        waiting.add(share);
      }
      isFull = usedBytes >= limitBytes;
    }
    evicted.forEach(each -> each.holder.evicted());
    woken.forEach(each -> each.holder.memoryFreed());
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
   * Closes connections that are a greater burden than this one. The connection with the greatest
   * burden waits when it needs more memory, until another connection needs its memory. Of equal
   * burdens that of the older connection is the greater one: all of them would wait else.
   *
   * @param more what is wanted, bytes
   */
  private void makeRoom(Share share, long more, List<Share> evicted) {
    long nowNanos = nanoClock.getAsLong();
    double own = share.burden(nowNanos);
    while (usedBytes + more > limitBytes) {
      Share worst = share;
      double most = own;
      for (Share each : shares) {
        double burden = each.burden(nowNanos);
        if (burden > most || burden == most && burden > 0 && each.number < worst.number) {
          worst = each;
          most = burden;
        }
      }
      if (worst == share) {
        return;
      }
      worst.isEvicted = true;
      count(worst, worst.counted(0, 0, worst.callBytes));
      evicted.add(worst);
    }
  }
}
