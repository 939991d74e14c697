package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreComparisonTest {
  private static final Table ROWS = Table.ofSingleRows("rows");
  private static final Table FILES = new Table("files", 4);
  private static final Table ANSWERS = Table.ofPassingRows("answers");
  private static final Set<Table> TABLES = Set.of(ROWS, FILES, ANSWERS);

  /** So long that a busy machine does not lose its leader. */
  private static final int TIMEOUT_MS = 1_000;

  @TempDir private Path folder;
  private final SimulatedNetwork network = new SimulatedNetwork(1);

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  private Trio newTrio() throws IOException {
    return new Trio(folder, TABLES, network, TIMEOUT_MS);
  }

  private static Key key(Table table, int number) {
    return new Key(table, String.format("%04d-row", number).getBytes(UTF_8));
  }

  private static void put(Store store, Table table, int from, int to) throws Exception {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = from; i < to; i++) {
      Transaction transaction = store.begin();
      transaction.put(key(table, i), ("value-" + i).getBytes(UTF_8));
      commits.add(transaction.commit());
    }
    CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
  }

  /** Changes rows all the time, so that the memtable is written into files again and again. */
  private static final class Writer implements AutoCloseable {
    private static final int KEYS = 3_000;
    private final AtomicBoolean ends = new AtomicBoolean();
    private final AtomicLong longestNs = new AtomicLong();
    private final AtomicInteger commits = new AtomicInteger();
    private final CompletableFuture<Void> end = new CompletableFuture<>();

    Writer(Store store, long seed) {
      Random random = new Random(seed);
      new Thread(() -> run(store, random), "writer-" + seed).start();
    }

    private void run(Store store, Random random) {
      try {
        while (!ends.get()) {
          Transaction transaction = store.begin();
          for (int i = 0; i < 20; i++) {
            Key key = key(random.nextBoolean() ? ROWS : FILES, random.nextInt(KEYS));
            if (random.nextInt(4) == 0) {
              transaction.delete(key);
            } else {
              byte[] value = new byte[random.nextInt(1_000)];
              random.nextBytes(value);
              transaction.put(key, value);
            }
          }
          long begunNs = System.nanoTime();
          transaction.commit().get(60, TimeUnit.SECONDS);
          longestNs.accumulateAndGet(System.nanoTime() - begunNs, Math::max);
          commits.incrementAndGet();
        }
        end.complete(null);
      } catch (Exception e) {
        end.completeExceptionally(e);
      }
    }

    @Override
    public void close() {
      ends.set(true);
      end.orTimeout(60, TimeUnit.SECONDS).join();
    }
  }

  /** Slow enough that several memtables are written meanwhile. */
  @Test
  void membersAreTheSameWhileOthersWrite() throws Exception {
    try (Trio trio = newTrio()) {
      Trio.Member leader = trio.member(trio.awaitLeader());
      put(leader.store, ROWS, 0, 3_000);
      trio.awaitEntryInEachLog();
      try (Writer one = new Writer(leader.store, 1);
          Writer two = new Writer(leader.store, 2)) {
        for (int round = 0; round < 5; round++) {
          Pace slow = (workedNs, pauseMs) -> awaitCommits(one, 150);
          Compared compared = Compared.by(leader, slow);
          assertThat(compared.findings).isEmpty();
          assertThat(compared.notCompared).isEmpty();
          assertThat(compared.rows).isGreaterThan(2_000);
        }
        System.out.printf(
            "%d commits, the longest one %d ms%n",
            one.commits.get() + two.commits.get(),
            TimeUnit.NANOSECONDS.toMillis(Math.max(one.longestNs.get(), two.longestNs.get())));
      }
    }
  }

  private static void awaitCommits(Writer writer, int more) throws InterruptedException {
    int wanted = writer.commits.get() + more;
    while (writer.commits.get() < wanted && !writer.end.isDone()) {
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  /** Makes members differ, as damage would. */
  private void damage(String member) throws Exception {
    try (RocksDbStore store =
        RocksDbStore.open(folder.resolve(member), TABLES, RocksDbOptions.defaults())) {
      Transaction transaction = store.begin();
      transaction.put(key(ROWS, 1_500), "another value".getBytes(UTF_8));
      transaction.delete(key(ROWS, 2_999));
      transaction.put(key(FILES, 1_000), "that nobody wrote".getBytes(UTF_8));
      transaction.put(key(ANSWERS, 1), "which one may forget".getBytes(UTF_8));
      transaction.commit().get(30, TimeUnit.SECONDS);
    }
  }

  private static String subject(String members, Key key) {
    return members + " table=" + key.table() + " key=" + HexFormat.of().formatHex(key.bytes());
  }

  private void fill() throws Exception {
    try (Trio trio = newTrio()) {
      Store store = trio.member(trio.awaitLeader()).store;
      put(store, ROWS, 0, 3_000);
      put(store, FILES, 0, 1_000);
      trio.awaitEntryInEachLog();
      trio.awaitSame();
    }
  }

  @Test
  void rowsThatOneMemberHasChangedLostOrAddedAreNamed() throws Exception {
    fill();
    damage("nn2");
    try (Trio trio = newTrio()) {
      Compared compared = Compared.byLeader(trio);
      assertThat(compared.findings)
          .extracting(Finding::kind, Finding::subject)
          .containsExactly(
              tuple("row-added", subject("member=nn2", key(FILES, 1_000))),
              tuple("row-differs", subject("member=nn2", key(ROWS, 1_500))),
              tuple("row-missing", subject("member=nn2", key(ROWS, 2_999))),
              tuple("store-differs", "member=nn2 rows=3 ranges=3"));
      assertThat(compared.findings.get(0).text())
          .isEqualTo("nn2 has a row that nn1 and nn3 do not have.");
      assertThat(compared.findings.get(3).text())
          .startsWith("The store of nn2 is damaged.")
          .contains("acacia bootstrap");
      assertThat(compared.notCompared).isEmpty();
    }
  }

  private static org.assertj.core.groups.Tuple tuple(Object... values) {
    return org.assertj.core.groups.Tuple.tuple(values);
  }

  @Test
  void aLeaderThatIsDamagedItselfIsNamed() throws Exception {
    fill();
    damage("nn1");
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      if (!leader.equals("nn1")) {
        trio.member(leader).raft.transfer("nn1");
        assertThat(trio.awaitLeaderOtherThan(leader)).isEqualTo("nn1");
      }
      Compared compared = Compared.by(trio.member("nn1"));
      assertThat(compared.findings).hasSize(4);
      assertThat(compared.findings.get(3).text()).contains("acacia raft step-down");
    }
  }

  @Test
  void aMemberThatIsDownIsNotCompared() throws Exception {
    fill();
    damage("nn2");
    try (Trio trio = newTrio()) {
      trio.awaitLeader();
      trio.stop("nn3");
      Compared compared = Compared.byLeader(trio);
      assertThat(compared.notCompared)
          .singleElement()
          .asString()
          .startsWith("The store of nn3 was not compared: ");
      assertThat(compared.findings)
          .extracting(Finding::kind, Finding::subject)
          .containsExactly(
              tuple("row-differs", subject("members=nn1,nn2", key(FILES, 1_000))),
              tuple("row-differs", subject("members=nn1,nn2", key(ROWS, 1_500))),
              tuple("row-differs", subject("members=nn1,nn2", key(ROWS, 2_999))),
              tuple("store-differs", "members=nn1,nn2 rows=3 ranges=3"));
    }
  }

  /** What it holds may be ahead of what it applies again. */
  @Test
  void aMemberThatIsStartedAgainMeanwhileIsComparedNoFurther() throws Exception {
    fill();
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      String follower = trio.follower();
      AtomicBoolean restarted = new AtomicBoolean();
      Pace restarts =
          (workedNs, pauseMs) -> {
            if (restarted.compareAndSet(false, true)) {
              restart(trio, follower);
            }
          };
      Compared compared = Compared.by(trio.member(leader), restarts);
      assertThat(compared.notCompared)
          .singleElement()
          .asString()
          .startsWith("The store of " + follower + " was compared only as far as table rows: ");
      assertThat(compared.findings).isEmpty();
      assertThat(compared.rows).isEqualTo(4_000);
      Compared again = Compared.byLeader(trio);
      assertThat(again.notCompared).isEmpty();
      assertThat(again.findings).isEmpty();
    }
  }

  private static void restart(Trio trio, String name) {
    try {
      trio.stop(name);
      trio.start(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aLeaderThatLeadsNoMoreSaysSo() throws Exception {
    fill();
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      AtomicBoolean handedOver = new AtomicBoolean();
      Pace handsOver =
          (workedNs, pauseMs) -> {
            if (handedOver.compareAndSet(false, true)) {
              handOver(trio, leader);
            }
          };
      assertThatThrownBy(() -> Compared.by(trio.member(leader), handsOver))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("leads no more");
      assertThatThrownBy(() -> Compared.by(trio.member(leader)))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("ask the one that leads");
      Compared next = Compared.byLeader(trio);
      assertThat(next.findings).isEmpty();
      assertThat(next.notCompared).isEmpty();
    }
  }

  private static void handOver(Trio trio, String leader) {
    try {
      trio.member(leader).raft.transfer("");
      trio.awaitLeaderOtherThan(leader);
      trio.awaitFollows(leader);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Over the network that NameNodes use. */
  @Test
  void membersOnLoopbackCompareByTheirPorts() throws Exception {
    try (Trio trio = new Trio(folder, TABLES, new GrpcNetwork(ChannelSecurity.NONE), TIMEOUT_MS)) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, ROWS, 0, 1_200);
      trio.awaitEntryInEachLog();
      Compared compared = Compared.by(trio.member(leader));
      assertThat(compared.findings).isEmpty();
      assertThat(compared.notCompared).isEmpty();
      assertThat(compared.rows).isEqualTo(1_200);
      String gone = trio.follower();
      trio.stop(gone);
      assertThat(Compared.by(trio.member(leader)).notCompared)
          .containsExactly(
              "The store of "
                  + gone
                  + " was not compared: "
                  + trio.addressOf(gone)
                  + " cannot be reached");
    }
  }
}
