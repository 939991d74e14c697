package io.acaciafs.rpc;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the calls of each user cost a server. Users who have not called for long are forgotten when
 * there are many. For many threads.
 */
final class UserCosts {
  private static final Logger LOG = LoggerFactory.getLogger(UserCosts.class);
  private static final int MANY_USERS = 10_000;

  /** Who has called within this time counts as waiting. */
  private static final long PRESENT_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How often one looks whether there is somebody else. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private static final long FORGOTTEN_HALF_LIVES = 64;

  private final Map<String, UserCost> users = new ConcurrentHashMap<>();
  private final FairnessOptions options;
  private final long limitNanos;
  private final long halfLifeNanos;
  private volatile long lookedNanos;
  private volatile boolean hadOthers;

  UserCosts(FairnessOptions options, long nowNanos) {
    this.options = options;
    this.limitNanos = TimeUnit.MILLISECONDS.toNanos(options.limitMs());
    this.halfLifeNanos = TimeUnit.MILLISECONDS.toNanos(options.halfLifeMs());
    this.lookedNanos = nowNanos - LOOK_NANOS;
  }

  /** The account of a user, which his connections share. */
  UserCost of(String user, long nowNanos) {
    if (users.size() > MANY_USERS) {
      long oldest = FORGOTTEN_HALF_LIVES * halfLifeNanos;
      users.values().removeIf(cost -> nowNanos - cost.lastNanos() > oldest);
    }
    return users.computeIfAbsent(user, name -> new UserCost(this, name, nowNanos));
  }

  long limitNanos() {
    return limitNanos;
  }

  long halfLife(long nowNanos) {
    return Math.floorDiv(nowNanos, halfLifeNanos);
  }

  /** Whether anybody else has called lately. */
  boolean hasOthers(UserCost one, long nowNanos) {
    if (!options.enabled()) {
      return false;
    }
    if (nowNanos - lookedNanos >= LOOK_NANOS) {
      lookedNanos = nowNanos;
      int present = 0;
      for (UserCost cost : users.values()) {
        if (cost == one || nowNanos - cost.lastNanos() < PRESENT_NANOS) {
          present++;
        }
      }
      hadOthers = present > 1;
    }
    return hadOthers;
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
