package io.acaciafs.kv.raft;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.testkit.AfterCrash;
import io.acaciafs.kv.testkit.CrashWorkload;
import io.acaciafs.kv.testkit.StoreConformance;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * The store of a leader keeps the contract, while messages come late or get lost, and one follower
 * after the other is cut off, stops, or loses power.
 */
class RaftStoreConformanceTest extends StoreConformance {
  private static final long SEED = Long.getLong("acacia.seed", 1);
  private static final int LOST_OF_THOUSAND = 10;
  private static final long LONGEST_DELAY_US = 1_000;
  private static final int BEFORE_CRASH = 300;

  /** Long, so that a busy machine costs no leadership. */
  private static final int TIMEOUT_MS = 500;

  @TempDir private Path folder;
  private final SimulatedNetwork network = new SimulatedNetwork(SEED);
  private final List<SimulatedNetwork> others = new ArrayList<>();
  private final Map<Store, Trio> trios = new HashMap<>();
  private final Map<Store, FollowerFaults> faults = new HashMap<>();
  private Set<Table> tables;

  @Override
  protected Store open(Set<Table> newTables) throws IOException {
    tables = newTables;
    network.quality(LOST_OF_THOUSAND, LONGEST_DELAY_US);
    return leaderAmongFaults();
  }

  private Store leaderAmongFaults() throws IOException {
    Trio trio = new Trio(folder.resolve("trio"), tables, network, TIMEOUT_MS);
    Store store = leaderOf(trio);
    faults.put(store, FollowerFaults.begin(trio, network, SEED));
    return store;
  }

  /** Each goes to three disks, and by a network. */
  @Override
  public int racedCommits() {
    return 400;
  }

  private Store leaderOf(Trio trio) {
    Store store = trio.member(trio.awaitLeader()).store;
    trios.put(store, trio);
    return store;
  }

  @Override
  public Store reopen(Store old) throws IOException {
    faults.remove(old).close();
    trios.remove(old).close();
    return leaderAmongFaults();
  }

  /** The leader is cut off in the middle, and ends; another member leads then. */
  @Override
  public AfterCrash crash(CrashWorkload workload) throws Exception {
    SimulatedNetwork other = new SimulatedNetwork(SEED);
    others.add(other);
    other.quality(LOST_OF_THOUSAND, LONGEST_DELAY_US);
    Trio trio = new Trio(folder.resolve("crashed"), CrashWorkload.tables(), other, TIMEOUT_MS);
    String leader = trio.awaitLeader();
    Store store = trio.member(leader).store;
    Set<Integer> acknowledged = new ConcurrentSkipListSet<>();
    CountDownLatch enough = new CountDownLatch(BEFORE_CRASH);
    Thread worker =
        new Thread(
            () ->
                workload.run(
                    store,
                    number -> {
                      acknowledged.add(number);
                      enough.countDown();
                    }),
            "workload");
    worker.start();
    if (!enough.await(60, TimeUnit.SECONDS)) {
      throw new AssertionError("Only " + acknowledged.size() + " commits");
    }
    trio.awaitEntryInEachLog();
    other.cutOff(leader);
    trio.end(leader);
    worker.join(TimeUnit.SECONDS.toMillis(60));
    return new AfterCrash(leaderOf(trio), acknowledged);
  }

  @AfterEach
  void closeTrios() {
    try {
      faults.values().forEach(FollowerFaults::close);
    } catch (AssertionError e) {
      throw new AssertionError("Repeat it with -Dacacia.seed=" + SEED, e);
    } finally {
      trios.values().forEach(Trio::close);
      network.close();
      others.forEach(SimulatedNetwork::close);
    }
  }
}
