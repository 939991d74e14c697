package io.acaciafs.kv.raft;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.copy.CopyProgress;
import io.acaciafs.kv.raft.copy.CopyRate;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.copy.MemberStanding;
import io.acaciafs.kv.raft.copy.StoreCopy;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbReplica;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.proto.RaftProtos.ServerRpcProto;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's part in its group. While another one leads, batches go from Ratis's log into the
 * store. When this one is elected, the thread {@code raft-role} begins a term of the store, and
 * ends it when leadership is lost: what the store had shown and a majority had not taken is gone
 * then, and what comes of it through the log comes as from any other leader.
 *
 * <p>Ratis's thread that applies entries waits while a lost term has not ended.
 */
final class RaftMember implements Replica, BatchStateMachine.Member {
  private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);
  private static final long LONGEST_END_MS = 60_000;

  /** So often within the shortest election timeout the leader shows that it leads. */
  private static final int PROOFS_A_TIMEOUT = 3;

  private static final long STANDING_SECONDS = 10;

  private final RaftOptions options;
  private final RaftPeerId self;
  private final RaftGroupId groupId;
  private final AppliedIndexes applied;
  private final LeaderLease lease;
  private final LeaderHistory leaders;
  private final StartSteps start;
  private final RaftLog log;
  private final Set<Table> tables;
  private final RocksDbOptions storeOptions;
  private final StoreCopy copy;
  private final MemberViews views;

  /** When no lease rests any more on what an earlier process of this member heard. */
  private final long takesPartNs;

  /** Another one after a copy was installed. Changed under the lock. */
  private volatile RocksDbReplica replica;

  private final Store appliedStore = RocksDbReplica.applied(() -> replica);

  private final BatchStateMachine stateMachine = new BatchStateMachine(this);
  private final RaftServer server;
  private final RatisRequests requests;
  private final Membership membership;
  private final HandOver handOver;
  private final ChannelSecurity.Watch watching;
  private final Comparisons comparisons;
  private final ExecutorService role =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "raft-role"));
  private final ScheduledExecutorService proofs =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "raft-lease"));

  /** What takes long, and must hold up neither applying nor the lease. */
  private final ScheduledExecutorService copies =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "raft-copy"));

  private volatile @Nullable Listener listener;

  /** The members that the group has agreed on last. */
  private volatile List<RaftPeerId> known = List.of();

  /** Whether this server is one of them. */
  private volatile boolean belongs;

  /** Whether Ratis has started. */
  private volatile boolean takesPart;

  /** The term that Ratis has this server lead; 0: none. */
  private volatile long electedTerm;

  /** Held while an entry is applied, and while a term of the store begins or ends. */
  private final Object lock = new Object();

  /** The term of the store that leads; 0: there is none. Under the lock. */
  private long storeTerm;

  /** Of a lost term. Under the lock. */
  private boolean storeEnds;

  /** Pieces of the batch that is not whole yet. Of the applying thread. */
  private final BatchPieces pieces = new BatchPieces();

  private volatile @Nullable RocksDbStore store;

  /** Whether the listener was told to lead, and does. */
  private volatile boolean serves;

  /** Whether the listener failed to lead, so that another member is to. */
  private volatile boolean cannotServe;

  private volatile boolean proofUnderWay;
  private volatile boolean closing;

  /**
   * Opens the folder; {@link #start} begins to take part.
   *
   * @param nanoTime goes on while the process is stopped
   * @throws IOException with a sentence for people
   * @throws StoreException when the folder is in use or damaged
   */
  RaftMember(
      RaftOptions options,
      Set<Table> tables,
      RocksDbOptions storeOptions,
      MemberNetwork network,
      LongSupplier nanoTime)
      throws IOException {
    this.options = options;
    this.tables = Set.copyOf(tables);
    this.storeOptions = storeOptions;
    this.self = RaftPeerId.valueOf(options.self());
    this.groupId = RaftGroups.idOf(options.group());
    Files.createDirectories(options.folder());
    IncomingCopy incoming = incoming(options, (bytes, ofAll) -> {});
    if (incoming.isComplete()) {
      incoming.install(); // an earlier process ended in between
    }
    if (!AppliedMark.isIn(options.folder())) {
      RocksDbStore.open(options.folder(), tables, storeOptions).close(); // all rows into files
      AppliedMark.NONE.write(options.folder());
    }
    AppliedMark mark = AppliedMark.read(options.folder());
    boolean hasLog = hasLog();
    boolean isNew = NewMember.isIn(options.folder());
    if (mark.index() >= 0 && !hasLog && !isNew) {
      throw new IOException(
          "The Raft log "
              + options.logFolder()
              + " is missing, though its store was in use. With an empty log this member could"
              + " vote twice: empty its folder, and run 'acacia bootstrap', see docs/ha.md");
    }
    this.applied = new AppliedIndexes(mark);
    this.lease = new LeaderLease(options.electionTimeout().minMs(), nanoTime);
    this.leaders =
        new LeaderHistory(
            options.self(), options.electionTimeout().minMs(), nanoTime, Clock.systemUTC());
    this.log =
        new RaftLog(
            options.folder(),
            this::submit,
            this::forEachEntry,
            lease,
            applied,
            this::forgetReleased);
    this.replica = openReplica();
    this.start = new StartSteps(nanoTime);
    long heldMs = hasLog ? options.electionTimeout().minMs() : 0;
    this.takesPartNs = lease.now() + TimeUnit.MILLISECONDS.toNanos(heldMs);
    this.copy = new StoreCopy(options.copyFolder(), this::copyTo, nanoTime);
    this.views = new MemberViews(nanoTime);
    this.belongs = !isNew || NewMember.names(options.folder(), options.self());
    this.server = newServer(network, hasLog);
    this.requests = new RatisRequests(server, groupId);
    this.membership = new Membership(server, groupId, options.members(), requests);
    this.handOver = new HandOver(self, membership, requests);
    this.comparisons = new Comparisons(self, network, membership, log, this::submit, views);
    this.watching = options.security().watch();
  }

  private RocksDbReplica openReplica() {
    return RocksDbReplica.open(
        options.folder(),
        tables,
        storeOptions,
        (folder, segmentBytes, replay) -> log.open(),
        this::failed);
  }

  private void copyTo(Path folder) throws IOException {
    replica.checkpoint(folder, log.memberSnapshot());
    Files.copy(options.folder().resolve("IDENTITY"), folder.resolve(IncomingCopy.STORE_ID));
    NewMember.mark(folder, names(membership.all()));
  }

  /** An entry shows that this member leads; what was committed before is applied with it. */
  private MemberStanding standing() throws IOException {
    long term = log.term();
    try {
      if (term != 0) {
        log.readBarrier().get(STANDING_SECONDS, TimeUnit.SECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before this member had shown that it leads");
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("This member could not show that it leads", e);
    }
    return new MemberStanding(term, applied.last().index(), groupId.getUuid());
  }

  private boolean hasLog() throws IOException {
    if (!Files.isDirectory(options.logFolder())) {
      return false;
    }
    try (Stream<Path> content = Files.list(options.logFolder())) {
      return content.findAny().isPresent();
    }
  }

  private RaftServer newServer(MemberNetwork network, boolean hasLog) throws IOException {
    RaftProperties properties = RatisProperties.of(options);
    Parameters parameters = new Parameters();
    network.configure(
        options, new MemberNetwork.Answers(copy, this::standing, views), properties, parameters);
    return RaftServer.newBuilder()
        .setServerId(self)
        .setGroup(group())
        .setStateMachine(stateMachine)
        .setProperties(properties)
        .setParameters(parameters)
        .setOption(hasLog ? RaftStorage.StartupOption.RECOVER : RaftStorage.StartupOption.FORMAT)
        .build();
  }

  /**
   * Where the group begins; later its log says who belongs to it. All have the same priority: a
   * higher one would take leadership back after each failover. One that is to be added knows none:
   * so it waits, where it would stand for election else.
   */
  private RaftGroup group() {
    List<RaftPeer> peers = new ArrayList<>();
    if (belongs) {
      options
          .members()
          .forEach(
              (name, address) ->
                  peers.add(RaftPeer.newBuilder().setId(name).setAddress(address).build()));
    }
    return RaftGroup.valueOf(groupId, peers);
  }

  @Override
  public void start(Listener newListener) throws IOException {
    listener = newListener;
    copies.scheduleWithFixedDelay(this::removeUnused, 1, 1, TimeUnit.MINUTES);
    awaitEndOfLeases();
    server.start();
    takesPart = true;
    long periodMs = Math.max(1, options.electionTimeout().minMs() / PROOFS_A_TIMEOUT);
    proofs.scheduleAtFixedRate(this::prove, periodMs, periodMs, TimeUnit.MILLISECONDS);
    if (!belongs && isMember()) { // it was added, and ended before it had noted it
      belongs = true;
    }
    if (belongs) {
      NewMember.remove(options.folder());
      requireMembership();
    } else {
      LOG.info("This member waits for 'acacia raft add {}' member={}", self, self);
    }
  }

  /** What the group has agreed on counts, not what the settings name. */
  private void requireMembership() throws IOException {
    if (!isMember()) {
      throw removed();
    }
    List<String> agreed = names(membership.all());
    if (!agreed.equals(options.members().keySet().stream().sorted().toList())) {
      LOG.warn(
          "The settings name the members {}, the group has {}. Have both say the same, see"
              + " docs/ha.md",
          options.members().keySet(),
          agreed);
    }
  }

  private static List<String> names(List<RaftPeer> members) {
    return members.stream().map(member -> member.getId().toString()).sorted().toList();
  }

  private IOException removed() {
    return new IOException(
        options.self()
            + " was removed from the group. To have it take part again, empty its folder, and add"
            + " it as a new one, see docs/ha.md");
  }

  /**
   * A member that hears a leader gives nobody else its vote for an election timeout, on which the
   * leader's lease rests. With the end of its process it forgot when that was.
   */
  private void awaitEndOfLeases() throws IOException {
    try {
      TimeUnit.NANOSECONDS.sleep(takesPartNs - lease.now());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before it took part");
    }
  }

  // ---- entries

  private CompletableFuture<Void> submit(ByteString entry) {
    try {
      return requests.append(entry).thenAccept(RaftMember::requireSuccess);
    } catch (IOException | RuntimeException e) { // Ratis ends
      return CompletableFuture.failedFuture(
          new FencedOffException("This member takes part no more: " + e, e));
    }
  }

  private static void requireSuccess(RaftClientReply reply) {
    if (!reply.isSuccess()) {
      throw new FencedOffException(
          "The members of the group did not take what was written: " + reply.getException());
    }
  }

  private void forEachEntry(long after, long upTo, Consumer<RaftEntry> consumer)
      throws IOException {
    org.apache.ratis.server.raftlog.RaftLog entries = division().getRaftLog();
    for (long index = after + 1; index <= upTo; index++) {
      LogEntryProto entry = entries.get(index);
      if (entry == null) {
        throw new IOException("The Raft log no longer has entry " + index);
      }
      if (entry.hasStateMachineLogEntry()) {
        consumer.accept(RaftEntry.decode(entry.getStateMachineLogEntry().getLogData()));
      }
    }
  }

  /** Shows that this server leads still, also when nobody writes. */
  private void prove() {
    try {
      hearLeader();
      startProgress(); // notes it
      RocksDbStore leading = store;
      boolean failed = leading != null && leading.writeFailure() != null;
      if ((cannotServe || failed) && electedTerm != 0) {
        stepDown(failed ? "the store of " + self + " failed" : self + " could not serve");
      } else if (log.term() != 0 && !proofUnderWay) {
        proofUnderWay = true;
        log.readBarrier().whenComplete((nothing, failure) -> proofUnderWay = false);
      }
    } catch (RuntimeException e) {
      LOG.warn("Cannot show that this member leads", e);
    }
  }

  /** Notes when the leader was last heard, which Ratis forgets with the next one. */
  private void hearLeader() {
    RoleInfoProto role = info().getRoleInfoProto();
    if (role.hasLeaderInfo()) {
      leaders.heard(options.self(), 0);
    } else if (role.hasCandidateInfo()) {
      leaders.lost(role.getCandidateInfo().getLastLeaderElapsedTimeMs());
    } else if (role.getFollowerInfo().getLeaderInfo().hasId()) {
      ServerRpcProto heard = role.getFollowerInfo().getLeaderInfo();
      leaders.heard(heard.getId().getId().toStringUtf8(), heard.getLastRpcElapsedTimeMs());
    } else {
      leaders.lost(0);
    }
  }

  private void removeUnused() {
    try {
      views.removeUnused();
      copy.removeUnused();
    } catch (IOException | RuntimeException e) {
      LOG.warn("A copy or a view of the store stays, until the next time", e);
    }
  }

  @Override
  public AppliedMark inFiles() {
    return applied.released();
  }

  @Override
  public void apply(RaftEntry entry, TermIndex at) {
    if (at.getIndex() <= applied.last().index()) {
      return; // of before the copy that was installed
    }
    if (entry.isEmpty() && !views.isExpected(entry.comparison())) {
      return;
    }
    synchronized (lock) {
      awaitEndOfLostTerm(entry);
      if (entry.isEmpty()) {
        views.mark(entry.comparison(), replica::view);
        return;
      }
      byte[] batch = pieces.add(entry);
      if (batch == null) {
        return;
      }
      if (entry.position() != applied.position() + 1) {
        throw new StoreException(
            "Batch "
                + entry.position()
                + " follows batch "
                + applied.position()
                + ": batches are missing");
      }
      AppliedMark mark = new AppliedMark(entry.position(), at.getTerm(), at.getIndex());
      if (entry.term() != storeTerm) {
        replica.apply(entry.position(), batch, 0, batch.length);
      }
      applied.applied(mark);
      if (entry.term() == storeTerm) {
        replica.durable(entry.position());
      }
    }
  }

  private void awaitEndOfLostTerm(RaftEntry entry) {
    while (storeEnds || storeTerm != 0 && entry.term() != storeTerm) {
      try {
        lock.wait();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StoreException("Interrupted while a lost term ended", e);
      }
    }
  }

  // ---- roles

  @Override
  public void leads() {
    long term = info().getCurrentTerm();
    electedTerm = term;
    onRoleThread(() -> beginTerm(term));
  }

  @Override
  public void leadsNoMore() {
    electedTerm = 0;
    log.end();
    onRoleThread(this::endTerm);
  }

  private void onRoleThread(Runnable task) {
    if (!role.isShutdown()) {
      role.execute(
          () -> {
            try {
              task.run();
            } catch (Throwable e) { // this process no longer knows what it is
              failed(e);
            }
          });
    }
  }

  private void beginTerm(long term) {
    RocksDbStore begun;
    synchronized (lock) {
      if (electedTerm != term || closing) {
        return;
      }
      stateMachine.accept(term, applied.position() + 1);
      log.begin(term); // before the replica adds to it, which its flusher may do at once
      begun = replica.lead();
      store = begun;
      storeTerm = term;
    }
    LOG.info("This member leads member={} term={} position={}", self, term, applied.position());
    if (electedTerm != term) {
      log.end(); // lost in between
    }
    try {
      cannotServe = false;
      requireListener().lead(begun, term);
      serves = true;
    } catch (IOException | RuntimeException e) {
      LOG.error("This member cannot serve, so another one is to lead member={}", self, e);
      endTerm(); // entries of it that are under way come as those of other leaders
      cannotServe = true;
    }
  }

  private void endTerm() {
    RocksDbStore ending = store;
    if (ending == null) {
      return;
    }
    synchronized (lock) {
      storeTerm = 0;
      storeEnds = true;
    }
    log.end();
    LOG.info("This member leads no more member={} position={}", self, applied.position());
    if (serves) {
      serves = false;
      requireListener().follow();
    }
    ending.close();
    store = null;
    synchronized (lock) {
      replica.follow();
      storeEnds = false;
      lock.notifyAll();
    }
  }

  private Listener requireListener() {
    Listener told = listener;
    if (told == null) {
      throw new IllegalStateException("Not started");
    }
    return told;
  }

  @Override
  public void leaderIs(RaftPeerId newLeader) {
    leaders.leaderIs(newLeader.toString(), info().getCurrentTerm());
  }

  @Override
  public CompletableFuture<@Nullable TermIndex> install(RaftPeerId from, TermIndex firstInLog) {
    if (division().getRaftLog().getNextIndex() >= firstInLog.getIndex()) {
      // Ratis asks each member that is added
      return CompletableFuture.completedFuture(null);
    }
    LOG.info(
        "This member lacks what the log of the leader no longer has, and takes a copy of its store"
            + " member={} leader={} firstInLog={}",
        self,
        from,
        firstInLog);
    CompletableFuture<@Nullable TermIndex> installed = new CompletableFuture<>();
    copies.execute(
        () -> {
          try {
            installed.complete(install(from));
          } catch (IOException e) {
            installed.completeExceptionally(e); // the leader tells again
          } catch (RuntimeException e) {
            installed.completeExceptionally(e);
            failed(e);
          }
        });
    return installed;
  }

  private static StoreException unknownGroup(IOException cause) {
    return new StoreException("The member does not know its group", cause);
  }

  static IncomingCopy incoming(RaftOptions options, CopyProgress progress) {
    return new IncomingCopy(options.folder(), new CopyRate(options.copyBytesPerSecond()), progress);
  }

  private TermIndex install(RaftPeerId from) throws IOException {
    start.copies(0, 0);
    try {
      return install(from, incoming(options, start::copies));
    } finally {
      start.copiesNoMore();
    }
  }

  private TermIndex install(RaftPeerId from, IncomingCopy incoming) throws IOException {
    incoming.fetch(membership.addressOf(from.toString()), options.security());
    boolean isNew = NewMember.isIn(options.folder());
    synchronized (lock) {
      if (closing) {
        throw new IOException("This member ends");
      }
      views.end();
      replica.close();
      incoming.install();
      if (!isNew) {
        NewMember.remove(options.folder());
      }
      AppliedMark mark = AppliedMark.read(options.folder());
      applied.restart(mark);
      pieces.clear();
      replica = openReplica();
      LOG.info("The copy is in place member={} position={}", self, mark.position());
      return TermIndex.valueOf(mark.term(), mark.index());
    }
  }

  @Override
  public void membersAre(List<RaftPeerId> members) {
    if (!members.equals(known)) {
      known = members;
      LOG.info("The group has the members {} member={}", members, self);
    }
    if (members.contains(self)) {
      if (!belongs) {
        belongs = true;
        copies.execute(this::forgetThatItIsNew);
      }
    } else if (belongs && !isMember()) { // a later entry may add it, when entries come again
      leavesGroup();
    }
  }

  private boolean isMember() {
    try {
      return membership.has(options.self());
    } catch (IOException e) {
      throw unknownGroup(e);
    }
  }

  private void forgetThatItIsNew() {
    try {
      NewMember.remove(options.folder());
    } catch (IOException e) {
      LOG.warn("The mark of a new member stays, until the next start", e);
    }
  }

  @Override
  public void leavesGroup() {
    failed(removed());
  }

  @Override
  public void logFailed(Throwable cause) {
    failed(cause);
  }

  private void failed(Throwable cause) {
    if (!closing) {
      LOG.error("This member takes part no more member={}", self, cause);
      requireListener().failed(cause);
    }
  }

  private void stepDown(String why) {
    try {
      handOver("", why);
    } catch (IOException e) {
      LOG.warn("Cannot step down member={}", self, e);
    }
  }

  @Override
  public void transfer(String to) throws IOException {
    handOver(to, "an administrator had " + self + " hand over");
  }

  private void handOver(String to, String why) throws IOException {
    if (electedTerm == 0 || to.equals(options.self())) {
      return;
    }
    lease.end(); // the one that is asked stands for election without waiting
    leaders.handsOver(why);
    try {
      if (to.isEmpty()) {
        handOver.toAny();
      } else {
        handOver.to(to);
      }
    } catch (IOException e) {
      leaders.handsOverNoMore();
      throw e;
    }
  }

  @Override
  public void addMember(String name, String address) throws IOException {
    requireLeads();
    membership.add(name, address);
  }

  @Override
  public void removeMember(String name) throws IOException {
    requireLeads();
    membership.remove(name);
  }

  private void requireLeads() throws IOException {
    if (electedTerm == 0) {
      throw new IOException("This NameNode does not lead; ask the one that leads");
    }
  }

  @Override
  public long compare(Pace pace, CheckListener told) throws IOException, InterruptedException {
    requireLeads();
    return comparisons.run(tables, pace, told);
  }

  // ---- what there is to know

  private RaftServer.Division division() {
    try {
      return server.getDivision(groupId);
    } catch (IOException e) {
      throw unknownGroup(e);
    }
  }

  private DivisionInfo info() {
    return division().getInfo();
  }

  @Override
  public ReplicaStatus status() {
    if (!takesPart) { // Ratis knows nothing before
      ReplicaStatus.Applied own = new ReplicaStatus.Applied(applied.position(), 0);
      return new ReplicaStatus(options.self(), false, "", 0, own, leaders.read(false), List.of());
    }
    boolean leads = serves && electedTerm != 0;
    hearLeader();
    RaftServer.Division division = division();
    DivisionInfo info = division.getInfo();
    RaftPeerId known = info.getLeaderId();
    return new ReplicaStatus(
        options.self(),
        leads,
        known == null ? "" : known.toString(),
        info.getCurrentTerm(),
        new ReplicaStatus.Applied(applied.position(), entriesBehind(division)),
        leaders.read(leads),
        leads ? followers(info) : List.of());
  }

  @Override
  public ReplicaStart startProgress() {
    if (!takesPart) {
      return start.reading();
    }
    RaftServer.Division division = division();
    TermIndex at = stateMachine.getLastAppliedTermIndex();
    return start.takingPart(
        at == null ? -1 : at.getIndex(),
        division.getRaftLog().getLastCommittedIndex(),
        division.getInfo().getLeaderId() != null);
  }

  private long entriesBehind(RaftServer.Division division) {
    TermIndex at = stateMachine.getLastAppliedTermIndex();
    return at == null
        ? 0
        : Math.max(0, division.getRaftLog().getLastCommittedIndex() - at.getIndex());
  }

  private static List<ReplicaStatus.Follower> followers(DivisionInfo info) {
    List<ServerRpcProto> known = info.getRoleInfoProto().getLeaderInfo().getFollowerInfoList();
    long[] confirmed = info.getFollowerMatchIndices(); // in the same order
    List<ReplicaStatus.Follower> followers = new ArrayList<>();
    for (int i = 0; i < Math.min(known.size(), confirmed.length); i++) {
      followers.add(
          new ReplicaStatus.Follower(
              known.get(i).getId().getId().toStringUtf8(),
              Math.max(0, info.getLastAppliedIndex() - confirmed[i]),
              known.get(i).getLastRpcElapsedTimeMs()));
    }
    return followers;
  }

  @Override
  public Store applied() {
    return appliedStore;
  }

  @Override
  public long position() {
    return applied.position();
  }

  @Override
  public CompletableFuture<Void> await(long position) {
    return applied.await(position);
  }

  /** Lets Ratis forget entries that files hold. */
  private void forgetReleased() {
    if (!closing) { // at the end Ratis has ended before
      requests.snapshot().exceptionally(RaftMember::keepsEntries);
    }
  }

  private static @Nullable RaftClientReply keepsEntries(Throwable cause) {
    LOG.warn("The Raft log keeps entries that are in files, until the next time", cause);
    return null;
  }

  @Override
  public void close() {
    if (electedTerm != 0) {
      stepDown(self + " was stopped"); // so that another one leads at once
    }
    end();
  }

  /** Without handing over. */
  void end() {
    closing = true;
    lease.end();
    proofs.shutdownNow();
    try {
      role.submit(this::endTerm).get(LONGEST_END_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("The store did not end in order member={}", self, e);
    }
    role.shutdown();
    copies.shutdownNow();
    try {
      ServerEnd.close(server, self, ServerEnd.PATIENCE_MS);
    } catch (IOException e) {
      LOG.warn("Ratis did not end in order member={}", self, e);
    }
    watching.close();
    views.end();
    replica.close();
  }
}
