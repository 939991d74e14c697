package io.acaciafs.rpc;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the calls of each user cost a server. Users who have not called for long are forgotten when
 * there are many; when there are still too many, further users share one account. For many threads.
 */
final class UserCosts {
  private static final Logger LOG = LoggerFactory.getLogger(UserCosts.class);
  static final int MANY_USERS = 10_000;

  /** No user has this name, because it contains a space. */
  static final String OTHERS = "all others";

  private static final int LONGEST_NAME = 256;
  private static final long FORGET_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Who has called within this time counts as waiting. */
  private static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often one looks who is there. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long FORGOTTEN_HALF_LIVES = 64;

  private final Map<String, UserCost> users = new ConcurrentHashMap<>();
  private final FairnessOptions options;
  private volatile long limitNanos;
  private final long halfLifeNanos;
  private final AtomicLong forgotNanos;
  private volatile Look look;

  /**
   * What was seen of all users.
   *
   * @param nanos when
   * @param mostNanos what the most costly one cost; {@link Long#MAX_VALUE} where there was but one
   */
  private record Look(long nanos, long mostNanos) {}

  UserCosts(FairnessOptions options, long nowNanos) {
    this.options = options;
    setLimitMs(options.limitMs());
    this.halfLifeNanos = TimeUnit.MILLISECONDS.toNanos(options.halfLifeMs());
    this.forgotNanos = new AtomicLong(nowNanos - FORGET_NANOS);
    this.look = new Look(nowNanos - LOOK_NANOS, Long.MAX_VALUE);
  }

  /** From now on, as {@link FairnessOptions#limitMs}. */
  void setLimitMs(long limitMs) {
    limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMs);
  }

  /** The account of a user, which his connections share. */
  UserCost of(String user, long nowNanos) {
    UserCost known = users.get(user);
    if (known != null) {
      return known;
    }
    boolean isOneTooMany = users.size() >= MANY_USERS && !forget(nowNanos);
    return users.computeIfAbsent(
        isOneTooMany || user.length() > LONGEST_NAME ? OTHERS : user,
        name -> new UserCost(this, name, nowNanos));
  }

  /** Returns whether there is room now. */
  private boolean forget(long nowNanos) {
    long lastNanos = forgotNanos.get();
    if (nowNanos - lastNanos >= FORGET_NANOS && forgotNanos.compareAndSet(lastNanos, nowNanos)) {
      long oldest = FORGOTTEN_HALF_LIVES * halfLifeNanos;
      users.values().removeIf(cost -> nowNanos - cost.lastNanos() > oldest);
    }
    return users.size() < MANY_USERS;
  }

  long halfLife(long nowNanos) {
    return Math.floorDiv(nowNanos, halfLifeNanos);
  }

  /**
   * Whether who has cost so much lately is among those who cost most, while there are others. A
   * busy user is not put beside one who costs many times as much.
   */
  boolean isMuch(long recentNanos, long nowNanos) {
    return recentNanos > limitNanos && recentNanos > mostNanos(nowNanos) / 4 * 3;
  }

  /** Whether who was among them is so no more. */
  boolean isLittle(long recentNanos, long nowNanos) {
    if (recentNanos < limitNanos / 2) {
      return true;
    }
    long most = mostNanos(nowNanos);
    return most != Long.MAX_VALUE && recentNanos < most / 3 * 2;
  }

  /** What the most costly user costs; {@link Long#MAX_VALUE} as long as there is but one. */
  private long mostNanos(long nowNanos) {
    Look last = look;
    // Half of what one has cost is not to be compared with the whole of what another has.
    boolean isStale = halfLife(nowNanos) != halfLife(last.nanos());
    if (isStale || nowNanos - last.nanos() >= LOOK_NANOS) {
      last = new Look(nowNanos, mostOf(nowNanos));
      look = last;
    }
    return last.mostNanos();
  }

  private long mostOf(long nowNanos) {
    int present = 0;
    long most = 0;
    for (UserCost cost : users.values()) {
      if (nowNanos - cost.lastNanos() < PRESENT_NANOS) {
        present++;
        most = Math.max(most, cost.recentNanos(nowNanos));
      }
    }
    return present > 1 && options.enabled() ? most : Long.MAX_VALUE;
  }

  void served(UserCost cost, boolean apart) {
    LOG.info("User's calls are costly: user={} servedApart={}", cost.user(), apart);
  }

  /** Those who have cost most lately first. */
  List<UserLoad> loads(long nowNanos) {
    return users.values().stream()
        .map(
            cost ->
                new UserLoad(
                    cost.user(), cost.recentNanos(nowNanos), cost.totalNanos(), cost.isApart()))
        .sorted(Comparator.comparingLong(UserLoad::recentNanos).reversed())
        .toList();
  }
}
