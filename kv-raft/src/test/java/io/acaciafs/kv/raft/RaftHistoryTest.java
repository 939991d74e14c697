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
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Members are cut off, restarted and asked to hand over, while messages come late and get lost:
 * transactions stay strictly serializable, also those that a member runs which leads no more, and
 * all members hold the same rows at the end.
 */
class RaftHistoryTest {
  private static final int SEEDS = Integer.getInteger("acacia.raft-seeds", 3);
  private static final long FIRST_SEED = Long.getLong("acacia.seed", 1);
  private static final int FAULTS = 4;
  private static final int TIMEOUT_MS = 100;
  private static final int BETWEEN_FAULTS = 30;

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
            Fault.values()[random.nextInt(Fault.values().length)].happen(trio, network, clients);
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

  /** What happens to the members. */
  private enum Fault {
    LEADER_CUT_OFF {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        loseLeader(trio, network::cutOff, clients);
      }
    },
    LEADER_IS_NOT_HEARD {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        loseLeader(trio, network::cutFrom, clients);
      }
    },
    LEADER_HEARS_NOTHING {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        loseLeader(trio, network::cutTo, clients);
      }
    },
    FOLLOWER_CUT_OFF {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        String follower = trio.follower();
        network.cutOff(follower);
        clients.awaitMore(BETWEEN_FAULTS);
      }
    },
    LEADER_ENDS_ALONE {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        String leader = trio.awaitLeader();
        network.cutOff(leader);
        trio.end(leader);
        clients.awaitMore(BETWEEN_FAULTS);
        network.heal();
        trio.start(leader);
      }
    },
    FOLLOWER_RESTARTS {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        restart(trio, trio.follower(), clients);
      }
    },
    LEADER_HANDS_OVER {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        try {
          trio.member(trio.awaitLeader()).raft.transfer("");
        } catch (IOException e) {
          // the others were not reached, or it led no more
        }
        clients.awaitMore(BETWEEN_FAULTS);
      }
    },
    ALL_RESTART {
      @Override
      void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception {
        trio.close();
        for (String name : Trio.NAMES) {
          trio.start(name);
        }
      }
    };

    abstract void happen(Trio trio, SimulatedNetwork network, TrioClients clients) throws Exception;

    private static void loseLeader(Trio trio, Consumer<String> cut, TrioClients clients) {
      String leader = trio.awaitLeader();
      cut.accept(leader);
      trio.awaitLeaderOtherThan(leader);
      clients.awaitMore(BETWEEN_FAULTS);
    }

    private static void restart(Trio trio, String name, TrioClients clients) throws Exception {
      trio.stop(name);
      clients.awaitMore(BETWEEN_FAULTS);
      trio.start(name);
    }
  }
}
