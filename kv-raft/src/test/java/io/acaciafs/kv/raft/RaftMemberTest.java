package io.acaciafs.kv.raft;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.ReplicaStart.Counted;
import io.acaciafs.kv.engine.ReplicaStart.Step;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.copy.CopyRate;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.raft.log.RaftLog;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.SizeInBytes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RaftMemberTest {
  private static final Table TABLE = Table.ofSingleRows("rows");

  private static final int TIMEOUT_MS = 300;

  /** Keeps a third member from standing for election beside a transfer on a busy machine. */
  private static final int LONG_TIMEOUT_MS = 1_000;

  private static final int ROWS_WITHOUT_IT = 8_001;

  @TempDir private Path folder;
  private final SimulatedNetwork network = new SimulatedNetwork(1);

  private static Key key(int number) {
    return new Key(TABLE, ("row-" + number).getBytes(UTF_8));
  }

  private static void put(Store store, int number) throws Exception {
    Transaction transaction = store.begin();
    transaction.put(key(number), ("value-" + number).getBytes(UTF_8));
    transaction.commit().get(30, TimeUnit.SECONDS);
  }

  /** Puts large rows, and returns the number behind the last one. */
  private static int putMany(Store store, int first, int count) throws Exception {
    List<CompletableFuture<Void>> commits = new ArrayList<>();
    for (int i = first; i < first + count; i++) {
      Transaction transaction = store.begin();
      byte[] value = new byte[1_000];
      new Random(i).nextBytes(value); // as compressed files would be small
      transaction.put(key(i), value);
      commits.add(transaction.commit());
    }
    CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    return first + count;
  }

  /** Members whose network is quick to end. */
  private Trio newTrio() throws IOException {
    return new Trio(folder, Set.of(TABLE), network, TIMEOUT_MS);
  }

  @AfterEach
  void closeNetwork() {
    network.close();
  }

  private static void assertHolds(Store store, int rows) {
    for (int i = 0; i < rows; i++) {
      assertThat(store.get(key(i))).as("row %d", i).isNotNull();
    }
  }

  /** As Ratis closes itself when its process stood still for longer than a minute. */
  @Test
  void aMemberWithoutRatisEnds() throws Exception {
    try (Trio trio = newTrio()) {
      trio.awaitLeader();
      network.server("nn1").close();
      assertThat(trio.member("nn1").failure).hasMessageContaining("Ratis has ended");
    }
  }

  @Test
  void whatWasCommittedIsThereUnderTheNextLeaders() throws Exception {
    try (Trio trio = newTrio()) {
      int rows = 0;
      for (int round = 0; round < 3; round++) {
        String leader = trio.awaitLeader();
        Store store = trio.member(leader).store;
        assertHolds(store, rows);
        for (int i = 0; i < 50; i++) {
          put(store, rows++);
        }
        trio.awaitEntryInEachLog();
        trio.stop(leader);
        String next = trio.awaitLeader();
        assertHolds(trio.member(next).store, rows);
        put(trio.member(next).store, rows++);
        trio.start(leader);
        trio.awaitApplied(leader, trio.member(next).raft.status().position());
      }
    }
  }

  /** Far enough that files hold most of it, and the log is not needed from its beginning. */
  @Test
  void membersGoOnFromWhatTheirFilesHold() throws Exception {
    int rows = 12_000;
    try (Trio trio = newTrio()) {
      putMany(trio.member(trio.awaitLeader()).store, 0, rows);
    }
    for (String name : Trio.NAMES) {
      AppliedMark mark = AppliedMark.read(folder.resolve(name));
      assertThat(mark.position()).as(name).isPositive();
      assertThat(mark.index()).as(name).isPositive();
    }
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      assertHolds(trio.member(leader).store, rows);
      put(trio.member(leader).store, rows);
      long last = trio.member(leader).raft.status().position();
      for (String name : Trio.NAMES) {
        trio.awaitApplied(name, last);
      }
      trio.stop(leader);
      assertHolds(trio.member(trio.awaitLeader()).store, rows + 1);
    }
  }

  @Test
  void aTransferKeepsTheMembersOpen() throws Exception {
    MemberNetwork loopback = new GrpcNetwork(ChannelSecurity.NONE);
    try (Trio trio = new Trio(folder, Set.of(TABLE), loopback, LONG_TIMEOUT_MS)) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, 0);
      String other = Trio.NAMES.stream().filter(name -> !name.equals(leader)).findFirst().get();
      trio.member(leader).raft.transfer(other);
      String next = trio.awaitLeader();
      assertThat(next).isEqualTo(other);
      assertLastChange(trio, other, leader, other, leader + " handed over");
      assertLastChange(
          trio, leader, leader, other, "an administrator had " + leader + " hand over");
      assertHolds(trio.member(next).store, 1);
      put(trio.member(next).store, 1);
      trio.awaitApplied(leader, trio.member(next).raft.status().position());
      trio.member(next).raft.transfer(leader);
      assertThat(trio.awaitLeader()).isEqualTo(leader);
      assertHolds(trio.member(leader).store, 2);
    }
  }

  private void assertLeads(Trio trio, String leader, long term) {
    trio.await(() -> leader + " has no lease", trio.member(leader).raft::holdsLease);
    assertThat(trio.member(leader).raft.status().leads()).isTrue();
    assertThat(trio.member(leader).raft.status().term()).isEqualTo(term);
  }

  @Test
  void aMemberThatCannotLeadIsNotAskedTo() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      RaftMember raft = trio.member(leader).raft;
      long term = raft.status().term();
      String dead = trio.follower();
      trio.end(dead);
      trio.await(() -> dead + " is heard", () -> silentMs(raft, dead) > 2 * TIMEOUT_MS);
      assertThatThrownBy(() -> raft.transfer(dead))
          .isInstanceOf(IOException.class)
          .hasMessageMatching("Leadership stays here: " + dead + " was not heard for \\d+ ms");
      assertThatThrownBy(() -> raft.transfer("nn9"))
          .isInstanceOf(IOException.class)
          .hasMessage("nn9 is no member of the group");
      put(trio.member(leader).store, 0);
      assertLeads(trio, leader, term);
      raft.transfer("");
      assertHolds(trio.member(trio.awaitLeaderOtherThan(leader)).store, 1);
    }
  }

  private static long silentMs(RaftMember leader, String other) {
    return leader.status().followers().stream()
        .filter(follower -> follower.name().equals(other))
        .findFirst()
        .orElseThrow()
        .silentMs();
  }

  /** It may stand for election when the request reaches it at last, whatever a lease says. */
  @Test
  void aHandOverToAMemberThatDoesNotAnswerEndsTheTerm() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, 0);
      trio.awaitEntryInEachLog();
      RaftMember raft = trio.member(leader).raft;
      long term = raft.status().term();
      String other = trio.follower();
      network.hold(other);
      assertThatThrownBy(() -> raft.transfer(other))
          .isInstanceOf(IOException.class)
          .hasMessageContaining("Leadership was not handed over to " + other);
      network.release(other);
      String next = trio.awaitLeader();
      assertHolds(trio.member(next).store, 1);
      put(trio.member(next).store, 1);
      trio.await(() -> next + " has no lease", trio.member(next).raft::holdsLease);
      assertThat(trio.member(next).raft.status().term()).isGreaterThan(term);
    }
  }

  /** As {@code hdfs dfsadmin -rollEdits} asks for. */
  @Test
  void whatWasCommittedBeforeARollIsDurableWithIt() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      EngineStore store = trio.member(leader).store;
      for (int i = 0; i < 20; i++) {
        Transaction transaction = store.begin();
        transaction.put(key(i), new byte[100]);
        transaction.commit();
        long first = store.rollLog();
        assertThat(trio.member(leader).raft.position()).isGreaterThanOrEqualTo(first - 1);
      }
    }
  }

  private static void assertLastChange(
      Trio trio, String member, String from, String to, String why) {
    LeaderChange change = trio.member(member).raft.status().leaders().last();
    assertThat(change).isNotNull();
    assertThat(change.from()).isEqualTo(from);
    assertThat(change.to()).isEqualTo(to);
    assertThat(change.why()).isEqualTo(why);
  }

  @Test
  void aMemberKnowsWhomItFollowsAndWhyTheLeaderChanged() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      assertLastChange(trio, leader, "", leader, "first election since " + leader + " started");
      put(trio.member(leader).store, 1);
      trio.awaitEntryInEachLog();
      trio.end(leader);
      String next = trio.awaitLeader();
      ReplicaStatus.Leaders leaders = trio.member(next).raft.status().leaders();
      assertThat(leaders.changes()).isPositive();
      assertThat(leaders.silentMs()).isZero();
      assertThat(leaders.last().why())
          .matches(leader + " was not heard for ([3-9]\\d\\d|\\d{4,}) ms");
      trio.end(next);
      Trio.Member left = trio.member(trio.anyMember());
      assertThat(left.raft.status().leads()).isFalse();
      trio.awaitNoLeader(left);
      trio.await( // one that ends in order is missed before it has been silent for so long
          () -> "silent for " + left.raft.status().leaders().silentMs() + " ms",
          () -> left.raft.status().leaders().silentMs() >= TIMEOUT_MS);
    }
  }

  /** One thread of Ratis says that a member leads, and another one that it leads no more. */
  @Test
  void aMemberThatIsToldTooLateThatItLeadsFollows() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, 0);
      trio.awaitEntryInEachLog();
      String follower = trio.follower();
      trio.member(follower).raft.leads(trio.member(leader).raft.status().term());
      put(trio.member(leader).store, 1);
      trio.awaitApplied(follower, trio.member(leader).raft.status().position());
      assertThat(trio.member(follower).store).isNull();
      assertThat(trio.member(follower).raft.applied().get(key(1))).isNotNull();
    }
  }

  @Test
  void knowsNoLeaderBeforeItTakesPart() throws Exception {
    RaftOptions options =
        new RaftOptions(
            "nn1",
            Map.of("nn1", "127.0.0.1:1", "nn2", "127.0.0.1:2", "nn3", "127.0.0.1:3"),
            "a cluster",
            folder.resolve("nn1"),
            new ElectionTimeout(TIMEOUT_MS, 2 * TIMEOUT_MS),
            ChannelSecurity.NONE,
            0);
    RaftMember member =
        new RaftMember(
            options, Set.of(TABLE), RocksDbOptions.defaults(), network, System::nanoTime);
    try {
      assertThat(member.status().leader()).isEmpty();
      assertThat(member.status().leads()).isFalse();
      assertThat(member.startProgress().step()).isEqualTo(Step.READS_LOG);
    } finally {
      member.end();
    }
  }

  /** With Ratis's log alone it could vote twice. */
  @Test
  void refusesAStoreWhoseLogIsMissing() throws Exception {
    String leader;
    try (Trio trio = newTrio()) {
      leader = trio.awaitLeader();
      put(trio.member(leader).store, 1);
    }
    Path raft = folder.resolve(leader).resolve("raft");
    Files.move(raft, folder.resolve("moved"));
    new AppliedMark(1, 1, 1).write(folder.resolve(leader));
    assertThatThrownBy(() -> newTrio().close())
        .isInstanceOf(IOException.class)
        .hasMessageContaining("acacia bootstrap");
  }

  /** As a backup is: with all that was committed before, for a store on one server. */
  @Test
  void aCopyOfTheLeadersStoreNeedsNoOtherMember() throws Exception {
    Path copy = folder.resolve("copy");
    try (Trio trio = newTrio()) {
      EngineStore store = trio.member(trio.awaitLeader()).store;
      for (int i = 0; i < 20; i++) {
        put(store, i);
      }
      Transaction large = store.begin();
      large.put(key(20), new byte[3 * RaftLog.PIECE_BYTES]);
      large.commit().get(30, TimeUnit.SECONDS);
      store.checkpoints().orElseThrow().make(copy);
      put(store, 21);
    }
    assertThat(AppliedMark.isIn(copy)).isFalse();
    try (RocksDbStore store = RocksDbStore.open(copy, Set.of(TABLE), RocksDbOptions.defaults())) {
      assertHolds(store, 21);
      put(store, 21);
    }
    try (RocksDbStore store = RocksDbStore.open(copy, Set.of(TABLE), RocksDbOptions.defaults())) {
      assertHolds(store, 22);
    }
  }

  /** As the backup is that a NameNode makes which stands by. */
  @Test
  void aCopyOfAFollowersStoreHasAllThatWasCommittedBefore() throws Exception {
    try (Trio trio = newTrio()) {
      EngineStore store = trio.member(trio.awaitLeader()).store;
      RaftMember follower = trio.member(trio.follower()).raft;
      AtomicInteger committed = new AtomicInteger();
      AtomicBoolean ends = new AtomicBoolean();
      CompletableFuture<Void> writer =
          CompletableFuture.runAsync(
              () -> {
                while (!ends.get()) {
                  try {
                    put(store, committed.get());
                  } catch (Exception e) {
                    throw new AssertionError(e);
                  }
                  committed.incrementAndGet();
                }
              });
      for (int copies = 0; copies < 5; copies++) {
        int wanted = 50 * (copies + 1);
        trio.await(() -> committed + " rows", () -> committed.get() >= wanted || writer.isDone());
        int before = committed.get();
        follower.await(trio.member(trio.awaitLeader()).raft.position()).get(30, TimeUnit.SECONDS);
        Path copy = folder.resolve("copy-" + copies);
        follower.checkpoints().make(copy);
        try (EngineStore copied = follower.checkpoints().open(copy)) {
          assertHolds(copied, before);
          put(copied, 1_000_000);
        }
        assertThat(AppliedMark.isIn(copy)).isFalse();
      }
      ends.set(true);
      writer.get(30, TimeUnit.SECONDS);
    }
  }

  /** Another one may lead by then, and have acknowledged what is not in the copy. */
  @Test
  void aLeaderThatIsCutOffMakesNoCopies() throws Exception {
    try (Trio trio = newTrio()) {
      String leader = trio.awaitLeader();
      EngineStore store = trio.member(leader).store;
      put(store, 0);
      trio.awaitEntryInEachLog();
      Checkpoints copies = store.checkpoints().orElseThrow();
      network.cutOff(leader);
      long cutNs = System.nanoTime();
      long lastNs = cutNs;
      StoreException refusal = null;
      for (int i = 0; refusal == null; i++) {
        long beginNs = System.nanoTime();
        try {
          copies.make(folder.resolve("copy-" + i));
          lastNs = beginNs;
        } catch (StoreException e) {
          refusal = e;
        }
      }
      assertThat(TimeUnit.NANOSECONDS.toMillis(lastNs - cutNs)).isLessThan(TIMEOUT_MS);
      network.heal();
    }
  }

  /** It had acknowledged what a member that was away lacks. */
  @Test
  void aMemberThatLostItsDiskComesBackWithAllThatWasAcknowledged() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, 0);
      trio.awaitEntryInEachLog();
      String behind = trio.follower();
      String lost =
          Trio.NAMES.stream().filter(n -> !n.equals(leader) && !n.equals(behind)).findAny().get();
      trio.end(behind);
      for (int i = 1; i < 20; i++) {
        put(trio.member(leader).store, i);
      }
      trio.end(lost);
      Files.move(trio.folderOf(lost), folder.resolve("lost disk"));
      trio.end(leader);
      trio.start(behind);
      assertThatThrownBy(() -> trio.bootstrapAgain(lost, 1_000))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("No member leads");

      trio.start(leader);
      trio.awaitLeader();
      assertThatThrownBy(() -> trio.requireNewGroup(lost))
          .hasMessageContaining("has never taken part in the group")
          .hasMessageContaining("acacia bootstrap");
      trio.bootstrap("nn4"); // another one has just fetched a copy
      trio.stop("nn4");
      trio.bootstrapAgain(lost, 30_000);
      String next = trio.awaitLeader();
      put(trio.member(next).store, 20);
      trio.awaitApplied(lost, trio.member(next).raft.status().position());
      trio.awaitApplied(behind, trio.member(next).raft.status().position());
      trio.end(next.equals(lost) ? behind : next);
      assertHolds(trio.member(trio.awaitLeader()).store, 21);
    }
  }

  /** Else it could vote again in the term in which it had voted before. */
  @Test
  void aMemberThatLostItsDiskBeginsInTheTermOfTheLeader() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      put(trio.member(leader).store, 0);
      String lost = trio.follower();
      trio.end(lost);
      Files.move(trio.folderOf(lost), folder.resolve("lost disk"));
      trio.bootstrapAgain(lost, 30_000);
      long term = trio.member(leader).raft.status().term();
      try (Stream<Path> files = Files.walk(trio.folderOf(lost))) {
        Path vote = files.filter(f -> f.endsWith("raft-meta")).findAny().orElseThrow();
        assertThat(Files.readString(vote)).contains("term=" + term).contains("votedFor=" + leader);
      }
      trio.awaitApplied(lost, trio.member(leader).raft.status().position());
      trio.end(leader);
      assertHolds(trio.member(trio.awaitLeader()).store, 1);
    }
  }

  /** Settings of those that are members already stay as they are. */
  @Test
  void oneMemberTakesThePlaceOfAnother() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      for (int i = 0; i < 20; i++) {
        put(trio.member(leader).store, i);
      }
      trio.awaitEntryInEachLog();
      assertThatThrownBy(() -> trio.member(leader).raft.removeMember(leader))
          .hasMessageContaining("acacia raft step-down");
      assertThatThrownBy(() -> trio.member(leader).raft.addMember("nn5", trio.addressOf(leader)))
          .hasMessageContaining("is a member already");
      trio.bootstrap("nn4");
      assertThat(trio.member("nn4").raft.status().leader()).isEmpty();
      trio.member(leader).raft.addMember("nn4", trio.addressOf("nn4"));
      String gone = trio.follower();
      trio.member(leader).raft.removeMember(gone);
      trio.awaitEnd(gone);
      put(trio.member(leader).store, 20);
      trio.awaitApplied("nn4", trio.member(leader).raft.status().position());
      trio.stop("nn4");
      trio.start("nn4");
      trio.awaitApplied("nn4", trio.member(leader).raft.status().position());
      trio.end(leader); // the one that is left needs the new one's vote
      Store store = trio.member(trio.awaitLeader()).store;
      assertHolds(store, 21);
      put(store, 21);
      try {
        trio.start(gone);
        trio.awaitEnd(gone); // it hears from the others that it is no member any more
      } catch (IOException e) {
        assertThat(e).hasMessageContaining("was removed from the group"); // its log says so
      }
    }
  }

  /** Loopback, with members that keep few entries for others. */
  private static final class ShortLogs implements MemberNetwork {
    static final long KEPT = 10;

    private final MemberNetwork loopback = new GrpcNetwork(ChannelSecurity.NONE);

    @Override
    public void configure(
        RaftOptions options, Answers answers, RaftProperties properties, Parameters parameters) {
      loopback.configure(options, answers, properties, parameters);
      RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf("1MB"));
      RaftServerConfigKeys.Log.setPreallocatedSize(properties, SizeInBytes.valueOf("1KB"));
      RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, KEPT);
      RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    }

    @Override
    public MemberConnection connect(String self, RaftPeer to) {
      return loopback.connect(self, to);
    }
  }

  /** The log is not kept for it any more. */
  private static void awaitGone(Trio trio, String leader, String away) {
    trio.await(
        () -> away + " is heard",
        () ->
            silentMs(trio.member(leader).raft, away) > RaftMember.GONE_TIMEOUTS * 2L * TIMEOUT_MS);
  }

  /**
   * The log of the leader forgets what a member needs that is stopped.
   *
   * @return the member; the leader has {@link #ROWS_WITHOUT_IT} rows then
   */
  private static String leaveBehind(Trio trio, String leader) throws Exception {
    EngineStore store = trio.member(leader).store;
    put(store, 0);
    trio.awaitEntryInEachLog();
    String away = trio.follower();
    trio.stop(away);
    awaitGone(trio, leader, away);
    for (int rows = 1; rows < ROWS_WITHOUT_IT; ) {
      rows = putMany(store, rows, 50);
    }
    trio.awaitPurge(leader);
    return away;
  }

  @Test
  void aMemberThatWasAwayForLongTakesACopyWhileOthersWrite() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE), new ShortLogs(), TIMEOUT_MS)) {
      String leader = trio.awaitLeader();
      String away = leaveBehind(trio, leader);
      trio.start(away);
      EngineStore store = trio.member(leader).store;
      int rows = putMany(store, ROWS_WITHOUT_IT, 1_000);
      trio.awaitApplied(away, trio.member(leader).raft.status().position());
      assertThat(folder.resolve(away).resolve("RAFT-NEW")).doesNotExist();
      trio.stop(away); // and goes on from the copy
      trio.start(away);
      rows = putMany(store, rows, 100);
      trio.awaitApplied(away, trio.member(leader).raft.status().position());
      trio.member(leader).raft.transfer(away);
      assertThat(trio.awaitLeader()).isEqualTo(away);
      assertHolds(trio.member(away).store, rows);
    }
  }

  /** Writes until files hold so much more that the log forgets what was before. */
  private static int putUntilForgettable(Trio trio, String leader, int first) throws Exception {
    int rows = first;
    long begin = AppliedMark.read(trio.folderOf(leader)).index();
    while (AppliedMark.read(trio.folderOf(leader)).index() <= begin + 2 * ShortLogs.KEPT) {
      rows = putMany(trio.member(leader).store, rows, 100);
    }
    return rows;
  }

  /**
   * A member begins to take a copy, so slowly that it will not end.
   *
   * @return the member
   */
  private static String beginCopy(Trio trio, String leader) throws Exception {
    String away = leaveBehind(trio, leader);
    trio.limitCopies(64 << 10);
    trio.start(away);
    trio.await(
        () -> away + " takes no copy",
        () -> trio.member(away).raft.startProgress().copy().done() > 0);
    return away;
  }

  /** At full speed. */
  private static void goOnWithCopy(Trio trio, String away) throws IOException {
    trio.limitCopies(0);
    trio.start(away);
  }

  /** What is written meanwhile would else be out of the log when the member has its copy. */
  @Test
  void theLogIsKeptForAMemberThatTakesACopy() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE), new ShortLogs(), TIMEOUT_MS)) {
      String leader = trio.awaitLeader();
      String away = beginCopy(trio, leader);
      putUntilForgettable(trio, leader, ROWS_WITHOUT_IT);
      assertThat(trio.member(away).raft.startProgress().step()).isEqualTo(Step.COPIES_STORE);
      trio.stop(away);
      goOnWithCopy(trio, away);
      trio.awaitApplied(away, trio.member(leader).raft.status().position());
      assertThat(trio.member(away).copies).hasValue(1);
    }
  }

  /** As for a member that was gone in the midst of it. */
  @Test
  void aCopyThatIsTooOldIsNotTakenAgain() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE), new ShortLogs(), TIMEOUT_MS)) {
      String leader = trio.awaitLeader();
      String away = beginCopy(trio, leader);
      trio.stop(away);
      awaitGone(trio, leader, away);
      putUntilForgettable(trio, leader, putUntilForgettable(trio, leader, ROWS_WITHOUT_IT));
      goOnWithCopy(trio, away);
      RaftMember raft = trio.member(leader).raft;
      AtomicInteger seen = new AtomicInteger(1);
      trio.await(
          () -> away + " lacks what the log forgot",
          () -> {
            int copies = trio.member(away).copies.get();
            if (seen.getAndSet(copies) < copies) {
              trio.member(leader).clock.pass(50); // the leader keeps a copy that is read for 60
            }
            return trio.member(away).raft.position() >= raft.position();
          });
    }
  }

  @Test
  void aMemberWithAnotherElectionTimeoutDoesNotTakePart() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      String other = trio.follower();
      trio.end(other);
      trio.timeout(400);
      assertThatThrownBy(() -> trio.start(other))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith(
              "acacia.store.raft.election.timeout.min is 400 here and 300 at nn");
      trio.timeout(300);
      trio.start(other);
      put(trio.member(leader).store, 0);
      trio.awaitApplied(other, trio.member(leader).raft.status().position());
    }
  }

  private Counted told = Counted.NOTHING;

  @Test
  void aNewMemberBeginsWithACopy() throws Exception {
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      for (int i = 0; i < 20; i++) {
        put(trio.member(leader).store, i);
      }
      Path fresh = folder.resolve("fresh");
      IncomingCopy incoming =
          new IncomingCopy(
              fresh, new CopyRate(0), (bytes, ofAll) -> told = new Counted(bytes, ofAll));
      Files.createDirectories(fresh);
      incoming.fetch(trio.addressOf(leader), ChannelSecurity.NONE);
      assertThat(incoming.isComplete()).isTrue();
      assertThat(told.all()).isPositive();
      assertThat(told.done()).isEqualTo(told.all());
      assertThat(trio.member(leader).raft.startProgress().step()).isEqualTo(Step.DONE);
      incoming.install();
      assertThat(incoming.isComplete()).isFalse();
      AppliedMark mark = AppliedMark.read(fresh);
      assertThat(mark.position()).isLessThanOrEqualTo(20);
      try (RocksDbStore store =
          RocksDbStore.open(fresh, Set.of(TABLE), RocksDbOptions.defaults())) {
        assertHolds(store, Math.toIntExact(mark.position()));
      }
    }
  }
}
