package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import io.acaciafs.kv.testkit.History;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members are cut off, stopped, restarted, left without power and asked to hand over, while
 * messages come late and get lost: transactions stay strictly serializable, also those that a
 * member runs which leads no more, and all members hold the same rows at the end.
 */
class RaftHistoryTest {
  private static final int SEEDS = Integer.getInteger("acacia.raft-seeds", 3);
  private static final long FIRST_SEED = Long.getLong("acacia.seed", 1);
  private static final int FAULTS = 4;
  private static final int TIMEOUT_MS = 100;
  private static final int BETWEEN_FAULTS = 30;

  /** After that a stopped member goes on, whatever the others do: Ratis gives up after 5 s. */
  private static final long LONGEST_STOP_MS = 1_500;

  private static final long LONGEST_STOP_NS = TimeUnit.MILLISECONDS.toNanos(LONGEST_STOP_MS);
  private static final long LONGEST_ELECTION_NS = TimeUnit.MILLISECONDS.toNanos(4 * TIMEOUT_MS);
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);

  @TempDir private Path folder;

  @Test
  void transactionsAreStrictlySerializable() throws Exception {
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      try {
        run(seed);
      } catch (Exception | AssertionError e) {
        throw new AssertionError("Repeat it with -Dacacia.seed=" + seed + ": " + e, e);
      }
    }
  }

  private void run(long seed) throws Exception {
    Random random = new Random(seed);
    Path own = folder.resolve("seed-" + seed);
    try (SimulatedNetwork network = new SimulatedNetwork(seed)) {
      try (Trio trio = new Trio(own, TrioClients.TABLES, network, TIMEOUT_MS)) {
        trio.awaitLeader();
        network.quality(random.nextInt(30), random.nextInt(3_000));
        History history;
        try (TrioClients clients = new TrioClients(trio, seed)) {
          clients.awaitMore(BETWEEN_FAULTS);
          trio.awaitEntryInEachLog();
          for (int i = 0; i < FAULTS; i++) {
            fault(random).happen(new Group(trio, network, clients, random));
            network.heal();
            clients.awaitMore(BETWEEN_FAULTS);
          }
          assertThat(Compared.byLeader(trio).findings).isEmpty(); // while they go on
          history = clients.end();
        }
        assertThat(history.violation()).isNull();
        System.out.printf("seed %d: %d transactions%n", seed, history.committed());
        trio.awaitSame();
      }
      Map<String, Long> last = rows(own.resolve(Trio.NAMES.get(0)));
      for (String name : Trio.NAMES) {
        assertThat(rows(own.resolve(name))).as("rows of %s", name).isEqualTo(last);
      }
    }
  }

  private static Fault fault(Random random) {
    return Fault.values()[random.nextInt(Fault.values().length)];
  }

  private static Map<String, Long> rows(Path member) {
    Map<String, Long> rows = new HashMap<>();
    try (RocksDbStore store =
            RocksDbStore.open(member, TrioClients.TABLES, RocksDbOptions.defaults());
        Scan scan = store.scan(KeyRange.ofTable(TrioClients.TABLE))) {
      while (scan.hasNext()) {
        Row row = scan.next();
        rows.put(row.key().toString(), ByteBuffer.wrap(row.value()).getLong());
      }
    }
    return rows;
  }

  /** The members, what is between them, and who asks them. */
  private record Group(Trio trio, SimulatedNetwork network, TrioClients clients, Random random) {
    void loseLeader(Consumer<String> cut) {
      String leader = trio.awaitLeader();
      cut.accept(leader);
      trio.awaitLeaderOtherThan(leader);
      clients.awaitMore(BETWEEN_FAULTS);
    }

    void losePower(List<String> members) throws IOException {
      trio.losePower(members, network, random);
      if (members.size() == 1) {
        clients.awaitMore(BETWEEN_FAULTS);
      }
      network.heal();
      for (String name : members) {
        trio.start(name);
      }
    }

    /** Stops a member, and has it go on when the others have gone on without it, or cannot. */
    void stopForAWhile(String member, BooleanSupplier othersGoOn) {
      trio.freeze(member, network);
      try {
        long beganNs = System.nanoTime();
        while (!othersGoOn.getAsBoolean() && System.nanoTime() - beganNs < LONGEST_STOP_NS) {
          LockSupport.parkNanos(PAUSE_NS);
        }
        clients.awaitMore(BETWEEN_FAULTS / 2, LONGEST_STOP_MS);
      } finally {
        trio.thaw(member, network);
      }
      clients.awaitMore(BETWEEN_FAULTS);
    }
  }

  /** What happens to the members. */
  private enum Fault {
    LEADER_CUT_OFF {
      @Override
      void happen(Group group) {
        group.loseLeader(group.network::cutOff);
      }
    },
    LEADER_IS_NOT_HEARD {
      @Override
      void happen(Group group) {
        group.loseLeader(group.network::cutFrom);
      }
    },
    LEADER_HEARS_NOTHING {
      @Override
      void happen(Group group) {
        group.loseLeader(group.network::cutTo);
      }
    },
    FOLLOWER_CUT_OFF {
      @Override
      void happen(Group group) {
        group.network.cutOff(group.trio.follower());
        group.clients.awaitMore(BETWEEN_FAULTS);
      }
    },
    LEADER_ENDS_ALONE {
      @Override
      void happen(Group group) throws IOException {
        String leader = group.trio.awaitLeader();
        group.network.cutOff(leader);
        group.trio.end(leader);
        group.clients.awaitMore(BETWEEN_FAULTS);
        group.network.heal();
        group.trio.start(leader);
      }
    },
    LEADER_LOSES_POWER {
      @Override
      void happen(Group group) throws IOException {
        group.losePower(List.of(group.trio.awaitLeader()));
      }
    },
    FOLLOWER_LOSES_POWER {
      @Override
      void happen(Group group) throws IOException {
        group.losePower(List.of(group.trio.follower()));
      }
    },
    ALL_LOSE_POWER {
      @Override
      void happen(Group group) throws IOException {
        group.losePower(Trio.NAMES);
      }
    },
    LEADER_STOPS {
      @Override
      void happen(Group group) {
        String leader = group.trio.awaitLeader();
        group.stopForAWhile(leader, () -> group.trio.hasLeaderOtherThan(leader));
      }
    },
    FOLLOWER_STOPS {
      @Override
      void happen(Group group) {
        long beganNs = System.nanoTime();
        group.stopForAWhile(
            group.trio.follower(), () -> System.nanoTime() - beganNs > LONGEST_ELECTION_NS);
      }
    },
    FOLLOWER_RESTARTS {
      @Override
      void happen(Group group) throws IOException {
        String follower = group.trio.follower();
        group.trio.stop(follower);
        group.clients.awaitMore(BETWEEN_FAULTS);
        group.trio.start(follower);
      }
    },
    LEADER_HANDS_OVER {
      @Override
      void happen(Group group) {
        try {
          group.trio.member(group.trio.awaitLeader()).raft.transfer("");
        } catch (IOException e) {
          // the others were not reached, or it led no more
        }
        group.clients.awaitMore(BETWEEN_FAULTS);
      }
    },
    ALL_RESTART {
      @Override
      void happen(Group group) throws IOException {
        group.trio.close();
        for (String name : Trio.NAMES) {
          group.trio.start(name);
        }
      }
    };

    abstract void happen(Group group) throws IOException;
  }
}
