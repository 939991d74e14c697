package io.acaciafs.systemtests.kill;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.TablePieces;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.SharedStore;
import io.acaciafs.systemtests.harness.Signals;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has region servers and NameNodes stand still or ends them, at random, one fault after the other,
 * and puts all right again behind each. Used by one thread.
 */
final class Nemesis {
  private static final Logger LOG = LoggerFactory.getLogger(Nemesis.class);
  private static final Duration LONGEST_REPAIR = Duration.ofMinutes(8);

  /** About so long HBase takes to notice that a server is dead, and to open its regions. */
  private static final int HANDED_OVER_MS = 20_000;

  private static final int SHORTEST_PAUSE_MS = 1_000;
  private static final int LONGEST_PAUSE_MS = 120_000;
  private static final int BEFORE_MS = 3_000;

  /** Before a stopped process goes on, clients of quiet NameNodes ask, at most so early. */
  private static final int EARLIEST_WAKE_MS = 100;

  private final SharedStore store;
  private final TablePieces pieces;
  private final FaultPace pace;
  private final int nameNodes;
  private final int regionServers;
  private final int leaseMs;
  private final int sessionTimeoutMs;
  private final Random random;

  private enum Fault {
    STOP_SERVER(1, 0, false),
    STOP_TWO_SERVERS(2, 0, false),
    STOP_NAME_NODE(0, 1, false),
    STOP_SERVER_AND_NAME_NODE(1, 1, false),
    KILL_SERVER(1, 0, true),
    KILL_NAME_NODE(0, 1, true),
    KILL_SERVER_AND_NAME_NODE(1, 1, true);

    private final int servers;
    private final int nameNodes;
    private final boolean kills;

    Fault(int servers, int nameNodes, boolean kills) {
      this.servers = servers;
      this.nameNodes = nameNodes;
      this.kills = kills;
    }
  }

  /** The counts are those that the store started with. */
  Nemesis(
      SharedStore store,
      TablePieces pieces,
      FaultPace pace,
      int nameNodes,
      int regionServers,
      int leaseMs,
      int sessionTimeoutMs,
      Random random) {
    this.store = store;
    this.pieces = pieces;
    this.pace = pace;
    this.nameNodes = nameNodes;
    this.regionServers = regionServers;
    this.leaseMs = leaseMs;
    this.sessionTimeoutMs = sessionTimeoutMs;
    this.random = random;
  }

  /** One fault from its begin to the time when all serve again, in a history of its own. */
  void strike() throws Exception {
    pace.nextHistory();
    Await.pass(BEFORE_MS);
    // Stops of servers are what reads may go wrong by.
    Fault fault =
        random.nextBoolean()
            ? Fault.STOP_SERVER
            : Fault.values()[random.nextInt(Fault.values().length)];
    List<Integer> servers = draw(regionServers, fault.servers);
    List<Integer> victims = draw(nameNodes, fault.nameNodes);
    Set<Integer> quiet = drawQuiet(victims);
    long pauseMs = drawPauseMs();
    LOG.info(
        "Fault {} regionServers={} nameNodes={} quiet={} pauseMs={}",
        fault,
        servers,
        victims,
        quiet,
        pauseMs);
    pace.quieten(quiet);
    if (fault.kills) {
      kill(servers, victims);
      Await.pass(pauseMs);
      pace.wake();
    } else {
      stop(servers, victims, pauseMs);
    }
    Await.pass(BEFORE_MS);
    long beganNs = System.nanoTime();
    repair();
    LOG.info("Repaired tookMs={}", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNs));
  }

  private List<Integer> draw(int of, int count) {
    List<Integer> all = IntStream.range(0, of).boxed().collect(Collectors.toList());
    Collections.shuffle(all, random);
    return all.subList(0, count);
  }

  /** All but one of those that run, in two of three faults. */
  private Set<Integer> drawQuiet(List<Integer> victims) {
    List<Integer> running = draw(nameNodes, nameNodes);
    running.removeAll(victims);
    return random.nextInt(3) == 0 ? Set.of() : Set.copyOf(running.subList(1, running.size()));
  }

  /** 1 to 120 s, often about the lease, the session timeout or the time of a hand-over. */
  private long drawPauseMs() {
    return switch (random.nextInt(5)) {
      case 0 -> around(leaseMs);
      case 1 -> around(sessionTimeoutMs);
      case 2, 3 -> around(HANDED_OVER_MS);
      default ->
          (long)
              (SHORTEST_PAUSE_MS
                  * Math.pow(LONGEST_PAUSE_MS / SHORTEST_PAUSE_MS, random.nextDouble()));
    };
  }

  private long around(int ms) {
    return ms / 2 + random.nextInt(ms);
  }

  private void kill(List<Integer> servers, List<Integer> victims) throws Exception {
    for (int server : servers) {
      store.hbase().killServer(server);
    }
    for (int victim : victims) {
      store.nameNode(victim).kill();
    }
  }

  private void stop(List<Integer> servers, List<Integer> victims, long pauseMs) throws Exception {
    List<Long> pids = new ArrayList<>();
    servers.forEach(server -> pids.add(store.hbase().serverPids().get(server)));
    victims.forEach(victim -> pids.add(store.nameNode(victim).pid()));
    try {
      for (long pid : pids) {
        Signals.stopIfAlive(pid);
      }
      int wakeMs = random.nextInt(EARLIEST_WAKE_MS);
      Await.pass(pauseMs - wakeMs);
      pace.wake();
      Await.pass(wakeMs);
    } finally {
      for (long pid : pids) {
        Signals.resumeIfAlive(pid);
      }
    }
  }

  /** Starts what ended, also by itself as it was taken for dead, and deals the regions out. */
  private void repair() throws Exception {
    Await.until("all region servers", LONGEST_REPAIR, this::serversServe);
    for (int i = 0; i < nameNodes; i++) {
      store.revive(i, LONGEST_REPAIR);
    }
    Await.until("regions on all servers", LONGEST_REPAIR, this::regionsAreDealt);
  }

  private boolean serversServe() throws InterruptedException, IOException {
    replaceEndedServers();
    try {
      store.hbase().awaitServers(regionServers);
    } catch (IOException e) { // one ends just now, or they take long
      LOG.info("Not all region servers serve yet: {}", firstLine(e));
    }
    return replaceEndedServers() == 0;
  }

  private int replaceEndedServers() throws InterruptedException, IOException {
    LocalHBase hbase = store.hbase();
    hbase.forgetEndedServers();
    int missing = regionServers - hbase.serverPids().size();
    for (int i = 0; i < missing; i++) {
      hbase.startServer();
    }
    return missing;
  }

  private boolean regionsAreDealt() {
    try {
      pieces.deal(store.hbase().serverPorts(), List.of());
      return true;
    } catch (IOException e) {
      LOG.info("Regions cannot be moved yet: {}", firstLine(e));
      return false;
    }
  }

  private static String firstLine(IOException e) {
    return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
  }
}
