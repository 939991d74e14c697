package io.acaciafs.rpc.limit;

import io.acaciafs.rpc.options.FairnessOptions;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The accounts of all users of a server, and which users are isolated because their calls cost
 * much. When there are many accounts, those that were not used for long are removed; when there are
 * still too many, further users share one account. For many threads.
 */
public final class UserCosts {
  private static final Logger LOG = LoggerFactory.getLogger(UserCosts.class);
  static final int MAX_USERS = 10_000;

  /** The shared account. No user has this name, because it contains a space. */
  static final String OTHERS = "all others";

  private static final int MAX_NAME_LENGTH = 256;
  private static final long EXPIRY_INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** A user who called within this time is active. */
  private static final long ACTIVE_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How long the cost of the most costly user is used before it is computed again. */
  private static final long SAMPLE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long EXPIRY_HALF_LIVES = 64;

  private final Map<String, UserCost> users = new ConcurrentHashMap<>();
  private final FairnessOptions options;
  private volatile long limitNanos;
  private final long halfLifeNanos;
  private final AtomicLong lastExpiryNanos;
  private volatile Sample sample;

  /**
   * The highest recent cost at one moment.
   *
   * @param atNanos the moment
   * @param highestNanos {@link Long#MAX_VALUE} if fewer than two users were active
   */
  private record Sample(long atNanos, long highestNanos) {}

  public UserCosts(FairnessOptions options, long nowNanos) {
    this.options = options;
    setLimitMs(options.limitMs());
    this.halfLifeNanos = TimeUnit.MILLISECONDS.toNanos(options.halfLifeMs());
    this.lastExpiryNanos = new AtomicLong(nowNanos - EXPIRY_INTERVAL_NANOS);
    this.sample = new Sample(nowNanos - SAMPLE_NANOS, Long.MAX_VALUE);
  }

  /** Replaces {@link FairnessOptions#limitMs} from now on. */
  public void setLimitMs(long limitMs) {
    limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
  }

  /** The account of a user, shared by all connections of the user. */
  public UserCost of(String user, long nowNanos) {
    UserCost known = users.get(user);
    if (known != null) {
      return known;
    }
    boolean isFull = users.size() >= MAX_USERS && !expire(nowNanos);
    return users.computeIfAbsent(
        isFull || user.length() > MAX_NAME_LENGTH ? OTHERS : user,
        name -> new UserCost(name, halfLifeNanos, nowNanos));
  }

  /** Returns whether there is room now. */
  private boolean expire(long nowNanos) {
    long lastNanos = lastExpiryNanos.get();
    if (nowNanos - lastNanos >= EXPIRY_INTERVAL_NANOS
        && lastExpiryNanos.compareAndSet(lastNanos, nowNanos)) {
      long maxAgeNanos = EXPIRY_HALF_LIVES * halfLifeNanos;
      users.values().removeIf(cost -> nowNanos - cost.lastNanos() > maxAgeNanos);
    }
    return users.size() < MAX_USERS;
  }

  /** Adds used time to an account, and isolates the user or ends that. */
  public void charge(UserCost cost, long nanos, long nowNanos) {
    long recentNanos = cost.add(nanos, nowNanos);
    boolean wasIsolated = cost.isIsolated();
    if (wasIsolated ? isLight(recentNanos, nowNanos) : isHeavy(recentNanos, nowNanos)) {
      cost.setIsolated(!wasIsolated);
      LOG.info("User's calls are costly: user={} isolated={}", cost.user(), !wasIsolated);
    }
  }

  /**
   * Whether a user with this recent cost is to be isolated: it is above the limit, and among the
   * highest of several active users. A busy user does not have to share threads with a user who
   * costs many times as much.
   */
  private boolean isHeavy(long recentNanos, long nowNanos) {
    return recentNanos > limitNanos && recentNanos > highestNanos(nowNanos) / 4 * 3;
  }

  /** Whether an isolated user with this recent cost is isolated no longer. */
  private boolean isLight(long recentNanos, long nowNanos) {
    if (recentNanos < limitNanos / 2) {
      return true;
    }
    long highest = highestNanos(nowNanos);
    return highest != Long.MAX_VALUE && recentNanos < highest / 3 * 2;
  }

  private long highestNanos(long nowNanos) {
    Sample last = sample;
    // A cost that has been halved cannot be compared with one that has not.
    boolean isStale =
        Math.floorDiv(nowNanos, halfLifeNanos) != Math.floorDiv(last.atNanos(), halfLifeNanos);
    if (isStale || nowNanos - last.atNanos() >= SAMPLE_NANOS) {
      last = new Sample(nowNanos, computeHighestNanos(nowNanos));
      sample = last;
    }
    return last.highestNanos();
  }

  private long computeHighestNanos(long nowNanos) {
    int active = 0;
    long highest = 0;
    for (UserCost cost : users.values()) {
      if (nowNanos - cost.lastNanos() < ACTIVE_NANOS) {
        active++;
        highest = Math.max(highest, cost.recentNanos(nowNanos));
      }
    }
    return active > 1 && options.enabled() ? highest : Long.MAX_VALUE;
  }

  /** The users with the highest recent cost first. */
  public List<UserLoad> loads(long nowNanos) {
    return users.values().stream()
        .map(
            cost ->
                new UserLoad(
                    cost.user(), cost.recentNanos(nowNanos), cost.totalNanos(), cost.isIsolated()))
        .sorted(Comparator.comparingLong(UserLoad::recentNanos).reversed())
        .toList();
  }
}
