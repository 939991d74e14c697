package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.FullDisk;
import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.Signals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Does harm to three NameNodes of which one leads, one fault after the other, and puts all right
 * again behind each. Measures for how long nobody got an answer. Used by one thread.
 */
final class TrioNemesis {
  private static final Logger LOG = LoggerFactory.getLogger(TrioNemesis.class);
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** Which faults there are, by their names. */
  private static final String ONLY = System.getProperty("acacia.trio-only", ".*");

  /** Of each writer, after which the next thing happens. */
  private static final int OPERATIONS_BETWEEN = 3;

  /** Longer than a lease, and than an election takes. */
  private static final int SHORTEST_FAULT_MS = 1_500;

  private static final int LONGEST_FAULT_MS = 6_000;
  private static final long LARGEST_FILE_BYTES = 4096;
  private static final Duration SLOW_SYNC = Duration.ofSeconds(2);

  private final HaCluster cluster;
  private final ManyWriters writers;
  private final FaultPace pace;
  private final Random random;
  private final Map<String, List<Long>> outagesMs = new TreeMap<>();

  /** Which messages of the leader wait. */
  enum Cut {
    BOTH(true, true),
    FROM_LEADER(true, false),
    TO_LEADER(false, true);

    private final boolean fromLeader;
    private final boolean toLeader;

    Cut(boolean fromLeader, boolean toLeader) {
      this.fromLeader = fromLeader;
      this.toLeader = toLeader;
    }
  }

  /** What happens to a group in which all serve. */
  @FunctionalInterface
  private interface Fault {
    /** Returns when it is over, but for NameNodes that have ended. */
    void strike(int leader) throws Exception;
  }

  TrioNemesis(HaCluster cluster, ManyWriters writers, FaultPace pace, Random random) {
    this.cluster = cluster;
    this.writers = writers;
    this.pace = pace;
    this.random = random;
  }

  /** With signal 9; it is back when another one has led for a while. */
  void killLeader() throws Exception {
    strike(
        "leader killed",
        leader -> {
          cluster.nameNode(leader).kill();
          writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
        });
  }

  void killAll() throws Exception {
    strike(
        "all killed",
        leader -> {
          for (int member = 0; member < cluster.size(); member++) {
            cluster.nameNode(member).kill();
          }
        });
  }

  /** It goes on in the belief that it leads. */
  void stopLeader() throws Exception {
    strike(
        "leader stopped",
        leader -> {
          long pid = cluster.nameNode(leader).pid();
          Signals.stop(pid);
          try {
            Await.pass(drawMs());
            cluster.awaitOtherLeader(leader);
            pace.wake();
          } finally {
            Signals.resume(pid);
          }
        });
  }

  /** The leader is cut off from both others; clients reach all of them. */
  void cutOffLeader(Cut cut) throws Exception {
    strike(
        "leader cut off, " + cut,
        leader -> {
          for (int other = 0; other < cluster.size(); other++) {
            if (other != leader && cut.fromLeader) {
              cluster.cut(leader, other);
            }
            if (other != leader && cut.toLeader) {
              cluster.cut(other, leader);
            }
          }
          try {
            Await.pass(drawMs());
            cluster.awaitOtherLeader(leader);
            pace.wake();
            Await.pass(drawMs());
          } finally {
            cluster.heal();
          }
        });
  }

  /**
   * Its disk takes nothing more, so it ends.
   *
   * @param leads or stands by
   */
  void fillDisk(boolean leads) throws Exception {
    strike(
        leads ? "disk of leader full" : "disk of follower full",
        leader -> {
          int victim = leads ? leader : (leader + 1) % cluster.size();
          if (HaCluster.canHarmDisks()) {
            cluster.setFull(victim, true);
          } else {
            FullDisk.allowFilesUpTo(LARGEST_FILE_BYTES, cluster.nameNode(victim).pid());
          }
          try {
            Await.until("its end", LIMIT, () -> !cluster.nameNode(victim).isAlive());
            writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
          } finally {
            cluster.setFull(victim, false);
          }
        });
  }

  /**
   * Each sync takes two seconds, for a while.
   *
   * @param leader or those that stand by, or both
   */
  void slowSyncs(boolean leader, boolean followers) throws Exception {
    strike(
        "slow syncs" + (leader ? " of leader" : "") + (followers ? " of followers" : ""),
        leads -> {
          for (int member = 0; member < cluster.size(); member++) {
            if (member == leads ? leader : followers) {
              cluster.setSyncTime(member, SLOW_SYNC);
            }
          }
          try {
            Await.pass(LONGEST_FAULT_MS + drawMs());
          } finally {
            for (int member = 0; member < cluster.size(); member++) {
              cluster.setSyncTime(member, Duration.ZERO);
            }
          }
        });
  }

  private void strike(String name, Fault fault) throws Exception {
    if (!name.matches(ONLY)) {
      return;
    }
    pace.nextHistory();
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    int leader = cluster.awaitLeader();
    writers.takeLongestOutageMs();
    writers.takeLongestStallMs();
    long beganNs = System.nanoTime();
    LOG.info("Fault {} leader=nn{}", name, leader + 1);
    fault.strike(leader);
    long overNs = System.nanoTime();
    cluster.startEnded();
    writers.awaitProgressOfAll(OPERATIONS_BETWEEN);
    long outageMs = writers.takeLongestOutageMs();
    LOG.info(
        "Fault over name={} leader=nn{} tookMs={} outageMs={} longestStallMs={}",
        name,
        cluster.awaitLeader() + 1,
        TimeUnit.NANOSECONDS.toMillis(overNs - beganNs),
        outageMs,
        writers.takeLongestStallMs());
    outagesMs.computeIfAbsent(name, unknown -> new ArrayList<>()).add(outageMs);
    cluster.awaitFollowers();
    LOG.info("Repaired tookMs={}", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - overNs));
  }

  private long drawMs() {
    return SHORTEST_FAULT_MS + random.nextInt(LONGEST_FAULT_MS - SHORTEST_FAULT_MS);
  }

  /** How often each fault came, and for how long no writer got an answer. */
  String figures() {
    StringBuilder text = new StringBuilder();
    outagesMs.forEach(
        (name, times) -> {
          Collections.sort(times);
          text.append(
              "%n%s: %d times, without service %d ms (median) %d ms (worst)"
                  .formatted(
                      name,
                      times.size(),
                      times.get(times.size() / 2),
                      times.get(times.size() - 1)));
        });
    return text.toString();
  }
}
