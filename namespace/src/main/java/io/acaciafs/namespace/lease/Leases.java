package io.acaciafs.namespace.lease;

import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * When each client that writes last renewed its lease. Kept in memory: after a restart every lease
 * counts as renewed at the start, as in HDFS. Safe for use by many threads.
 *
 * <p>Where other processes run operations as well, clients renew with any of them. Then what is
 * renewed here is {@linkplain #takeRenewed handed on}, and what is renewed there is {@linkplain
 * #renewElsewhere heard of}; nobody has been silent unless this {@linkplain #exchanged works}, and
 * a client that was never heard of counts from the moment when somebody asks.
 *
 * <p>Any client can {@linkplain #renewIfHeld renew} a lease, held or not. The NameNode records the
 * renewal only for known holders: clients that opened a file here, or of which another NameNode
 * told, or that have {@linkplain #retain open files} from before the start. A client that has
 * closed its files stays until there are {@linkplain #wantsHolders many}.
 */
public final class Leases {
  /** HdfsConstants.LEASE_SOFTLIMIT_PERIOD: from then on another client may take a file over. */
  public static final long SOFT_LIMIT_MS = 60_000;

  /** How often processes tell each other of renewals. */
  public static final long EXCHANGE_INTERVAL_MS = 5_000;

  /** After a longer one what was renewed elsewhere is not known for a while. */
  private static final long LONGEST_PAUSE_MS = 3 * EXCHANGE_INTERVAL_MS;

  /** From this number on, many clients may hold no lease. */
  private static final int MANY = 10_000;

  /** Limit for clients that renew before the NameNode knows the holders of leases. */
  private static final int MOST_EARLY_CHARS = 4 << 20;

  private static final long NEVER = Long.MIN_VALUE;

  /** Stands for all clients that have not renewed their lease since the start. */
  private static final String UNKNOWN = "";

  private final Clock clock;
  private final long hardLimitMs;
  private final long startMs;
  private final Map<String, Long> renewals = new ConcurrentHashMap<>();
  private final boolean isShared;
  private final Set<String> toHandOn = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean recoveryBegan = new AtomicBoolean(true); // perhaps, before the start
  private final AtomicInteger earlyChars = new AtomicInteger();
  private volatile boolean knowsHolders;
  private volatile int holders;
  private volatile long lookMs;
  private volatile int waitingFiles;
  private volatile long waitingSinceMs;
  private long firstExchangeMs = NEVER;
  private long lastExchangeMs = NEVER;

  /**
   * @param isShared whether clients may renew their leases elsewhere
   */
  public Leases(Clock clock, long hardLimitMs, boolean isShared) {
    this.clock = clock;
    this.hardLimitMs = hardLimitMs;
    this.isShared = isShared;
    this.startMs = clock.millis();
    this.knowsHolders = isShared;
    if (!isShared) {
      renewals.put(UNKNOWN, startMs);
    }
  }

  /** A client says that it is alive, which means nothing unless it holds a lease. */
  public void renewIfHeld(String clientName) {
    if (clientName.equals(UNKNOWN)) {
      return;
    }
    if (renewals.containsKey(clientName)
        || !knowsHolders && earlyChars.addAndGet(clientName.length()) <= MOST_EARLY_CHARS) {
      renew(clientName);
    }
  }

  /** How many are remembered. */
  int size() {
    return renewals.size();
  }

  /** Whether to find the holders of leases, in order to forget all other clients. */
  public boolean wantsHolders() {
    return !knowsHolders || renewals.size() > MANY + 2 * holders;
  }

  /**
   * Forgets clients that hold no lease.
   *
   * @param holdersFound the holders of all open files, found by a scan that began at {@code
   *     sinceMs}
   * @param sinceMs by the clock; clients that renewed after that stay as well
   */
  public void retain(Set<String> holdersFound, long sinceMs) {
    if (!isShared) {
      holdersFound.forEach(client -> renewals.putIfAbsent(client, startMs));
    }
    holders = holdersFound.size();
    knowsHolders = true;
    renewals
        .entrySet()
        .removeIf(
            each ->
                each.getValue() < sinceMs
                    && !holdersFound.contains(each.getKey())
                    && !each.getKey().equals(UNKNOWN));
  }

  /** A client that has opened a file, and so holds a lease, is alive. */
  public void renew(String clientName) {
    renewals.put(clientName, clock.millis());
    if (isShared) {
      toHandOn.add(clientName);
    }
  }

  /** A client renewed its lease with another process, some time ago. */
  public void renewElsewhere(String clientName) {
    renewals.put(clientName, clock.millis());
  }

  /** Clients that have renewed their lease here since the last call. */
  public List<String> takeRenewed() {
    List<String> taken = new ArrayList<>(toHandOn);
    taken.forEach(toHandOn::remove);
    return taken;
  }

  /** These could not be handed on, and are taken again. */
  public void putBack(Collection<String> clientNames) {
    toHandOn.addAll(clientNames);
  }

  /**
   * What was renewed here is known elsewhere, and the other way round. To be called every {@link
   * #EXCHANGE_INTERVAL_MS}.
   */
  public synchronized void exchanged() {
    long nowMs = clock.millis();
    if (lastExchangeMs == NEVER || nowMs - lastExchangeMs > LONGEST_PAUSE_MS) {
      firstExchangeMs = nowMs;
    }
    lastExchangeMs = nowMs;
  }

  /** Whether a client that renewed elsewhere would have been heard of. */
  private synchronized boolean isInformed() {
    return !isShared
        || lastExchangeMs != NEVER
            && clock.millis() - lastExchangeMs <= LONGEST_PAUSE_MS
            && lastExchangeMs - firstExchangeMs >= LONGEST_PAUSE_MS;
  }

  /** By the clock of renewals. */
  public long nowMs() {
    return clock.millis();
  }

  public boolean isSoftLimitExpired(String clientName) {
    return ageMs(clientName) > SOFT_LIMIT_MS;
  }

  public boolean isHardLimitExpired(String clientName) {
    return ageMs(clientName) > hardLimitMs;
  }

  private long ageMs(String clientName) {
    if (!isShared) {
      return clock.millis() - renewals.getOrDefault(clientName, startMs);
    }
    long nowMs = clock.millis();
    Long knownMs = renewals.putIfAbsent(clientName, nowMs);
    return knownMs == null || !isInformed() ? 0 : nowMs - knownMs;
  }

  /**
   * Files that are to be closed without their writer, and could not be.
   *
   * @param count of them, as the last look found
   * @param forMs for how long there have been any
   */
  public record WaitingFiles(int count, long forMs) {}

  /**
   * A look has ended. For one thread.
   *
   * @param count of the files that have to wait for the next one
   */
  public void setWaiting(int count) {
    if (waitingFiles == 0) {
      waitingSinceMs = clock.millis();
    }
    waitingFiles = count;
  }

  public WaitingFiles waiting() {
    int count = waitingFiles;
    return new WaitingFiles(count, count == 0 ? 0 : clock.millis() - waitingSinceMs);
  }

  /** How long ago a client renewed its lease, as far as this process knows, in milliseconds. */
  public long renewedAgoMs(String clientName) {
    return clock.millis() - renewals.getOrDefault(clientName, startMs);
  }

  /** A file is to be closed without its writer. */
  public void recoveryBegan() {
    recoveryBegan.set(true);
  }

  /**
   * Whether there may be open files that wait to be closed without their writer; begins to look for
   * them, one at a time. A caller that finds that some have to wait reports it by {@link #endLook}.
   */
  public boolean beginLook() {
    boolean began = recoveryBegan.getAndSet(false);
    long beforeMs = lookMs;
    lookMs = clock.millis();
    if (isShared && (beforeMs == 0 || lookMs - beforeMs >= SOFT_LIMIT_MS)) {
      return true; // for the clients of one that died
    }
    return began || renewals.values().stream().anyMatch(this::wasSilent);
  }

  /**
   * Forgets the clients that had been silent for the hard limit when the look began: they count
   * from the start now, which is longer ago.
   *
   * @param isDone whether all their files were closed, and all that were being recovered
   */
  public void endLook(boolean isDone) {
    renewals.values().removeIf(this::wasSilent);
    if (!isDone) {
      recoveryBegan.set(true);
    }
  }

  private boolean wasSilent(long renewedMs) {
    return lookMs - renewedMs > hardLimitMs;
  }
}
