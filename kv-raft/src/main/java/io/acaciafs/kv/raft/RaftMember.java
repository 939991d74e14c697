package io.acaciafs.kv.raft;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import io.acaciafs.kv.engine.Checkpoints;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.raft.copy.MemberStanding;
import io.acaciafs.kv.raft.copy.StoreCopy;
import io.acaciafs.kv.raft.log.AppendOrder;
import io.acaciafs.kv.raft.log.AppliedIndexes;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.raft.log.LeaderLease;
import io.acaciafs.kv.raft.log.OpenSegment;
import io.acaciafs.kv.raft.log.RaftEntry;
import io.acaciafs.kv.raft.log.RaftLog;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbReplica;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This server's part in its group. While another one leads, batches go from Ratis's log into the
 * store. When this one is elected, the thread {@code raft-role} begins a term of the store, and
 * ends it when leadership is lost ({@link MemberStore}).
 */
class RaftMember implements Replica, BatchStateMachine.Member {
  private static final Logger LOG = LoggerFactory.getLogger(RaftMember.class);

  /** So often within the shortest election timeout the leader shows that it leads. */
  private static final int PROOFS_A_TIMEOUT = 3;

  private static final long STANDING_SECONDS = 10;

  /** So often a member that hears no leader asks the others whose they are. */
  private static final long STRANGERS_SECONDS = 5;

  /** For so long the others keep a member from taking part that do not answer. */
  private static final long OTHERS_MS = 1_000;

  /** The log is not kept for a member that has not answered for so many election timeouts. */
  static final int GONE_TIMEOUTS = 5;

  /**
   * While a member takes a copy of the store, and catches up, the log is kept from where that
   * member is; else writes could leave it behind for ever. Some 10 GB.
   */
  private static final long MOST_KEPT_FOR_FOLLOWERS = 4_000_000;

  private final RaftOptions options;
  private final RaftPeerId self;
  private final Set<Table> tables;
  private final AppliedIndexes applied;
  private final LeaderLease lease;
  private final LeaderHistory leaders;
  private final StartSteps start;
  private final RaftLog log;
  private final MemberStore store;
  private final StoreCopy copy;
  private final MemberViews views;

  /** When no lease rests any more on what an earlier process of this member heard. */
  private final long takesPartNs;

  private final BatchStateMachine stateMachine;
  private final RatisServer ratis;
  private final Membership membership;
  private final MemberRole role;
  private final ChannelSecurity.Watch watching;
  private final Comparisons comparisons;
  private final Strangers strangers;

  /** What takes long, and must hold up neither applying nor the lease. */
  private final ScheduledExecutorService copies =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "raft-copy"));

  /** The members that the group has agreed on last. */
  private volatile List<RaftPeerId> known = List.of();

  /** Whether this server is one of them. */
  private volatile boolean belongs;

  /** Whether Ratis has started. */
  private volatile boolean takesPart;

  /** Whether this process has put a copy of the leader's store in place. */
  private volatile boolean hasCopied;

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
    this.self = RaftPeerId.valueOf(options.self());
    MemberFolder found = MemberFolder.open(options, tables, storeOptions);
    long minMs = options.electionTimeout().minMs();
    this.applied = new AppliedIndexes(found.mark());
    this.lease = new LeaderLease(minMs, nanoTime);
    this.leaders = new LeaderHistory(options.self(), minMs, nanoTime, Clock.systemUTC());
    this.log =
        new RaftLog(
            options.folder(),
            this::submit,
            this::forEachEntry,
            lease,
            applied,
            this::forgetReleased);
    this.views = new MemberViews(nanoTime);
    AppendOrder order = new AppendOrder();
    this.store =
        new MemberStore(
            options.folder(), applied, log, order, views, () -> openReplica(storeOptions));
    this.start = new StartSteps(nanoTime);
    this.takesPartNs = lease.now() + TimeUnit.MILLISECONDS.toNanos(found.hasLog() ? minMs : 0);
    this.copy = new StoreCopy(options.copyFolder(), this::copyTo, nanoTime);
    this.belongs = !found.isNew() || NewMember.names(options.folder(), options.self());
    this.stateMachine = new BatchStateMachine(this, order);
    if (found.hasLog()) {
      OpenSegment.repair(options.logFolder(), found.mark().index());
    }
    this.ratis =
        RatisServer.of(
            options,
            found.hasLog(),
            belongs,
            stateMachine,
            network,
            new MemberNetwork.Answers(copy, this::standing, views));
    this.membership = ratis.membership(options);
    this.role =
        new MemberRole(
            options.self(),
            store,
            log,
            lease,
            leaders,
            new HandOver(ratis, membership, options.electionTimeout().maxMs()),
            this::failed);
    this.comparisons = new Comparisons(self, network, membership, log, this::submit, views);
    this.strangers = new Strangers(options, ratis.group());
    this.watching = options.security().watch();
  }

  private RocksDbReplica openReplica(RocksDbOptions storeOptions) {
    return RocksDbReplica.open(
        options.folder(),
        tables,
        storeOptions,
        (folder, segmentBytes, replay) -> log.open(),
        this::failed);
  }

  private CompletableFuture<Void> submit(ByteString entry) {
    return ratis.submit(entry);
  }

  private void forEachEntry(long after, long upTo, Consumer<RaftEntry> consumer)
      throws IOException {
    ratis.forEachEntry(after, upTo, consumer);
  }

  private void forgetReleased() {
    if (!closing) { // at the end Ratis has ended before
      ratis.forgetReleased();
    }
  }

  private void copyTo(Path folder) throws IOException {
    store.checkpoint(folder, log.memberSnapshot());
    Files.copy(options.folder().resolve("IDENTITY"), folder.resolve(IncomingCopy.STORE_ID));
    StoreOrigin.copy(options.folder(), folder);
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
    return new MemberStanding(
        term, applied.last().index(), ratis.group().getUuid(), options.electionTimeout().minMs());
  }

  @Override
  public void start(Listener newListener) throws IOException {
    role.start(newListener);
    copies.scheduleWithFixedDelay(this::removeUnused, 1, 1, TimeUnit.MINUTES);
    copies.scheduleWithFixedDelay(
        this::lookForStrangers, STRANGERS_SECONDS, STRANGERS_SECONDS, TimeUnit.SECONDS);
    awaitOthers();
    awaitEndOfLeases();
    ratis.start();
    takesPart = true;
    long periodMs = Math.max(1, options.electionTimeout().minMs() / PROOFS_A_TIMEOUT);
    role.startProofs(periodMs, this::noteLeader);
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

  /** When it was heard last, and how the start goes: Ratis tells as of now alone. */
  private void noteLeader() {
    ratis.hearLeader(leaders);
    startProgress();
  }

  /** Before it takes part; a member that does not answer at once is asked later. */
  private void awaitOthers() throws IOException {
    try {
      copies
          .submit(
              () -> {
                strangers.require();
                return null;
              })
          .get(OTHERS_MS, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.info("Another member does not answer yet member={}", self);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException refusal ? refusal : new IOException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted before it took part");
    }
  }

  /** A member that hears no leader may have the store of another group; it would wait for ever. */
  private void lookForStrangers() {
    try {
      if (takesPart && (ratis.leader().isEmpty() || strangers.isOpen())) {
        strangers.require();
      }
    } catch (IOException e) {
      failed(e);
    } catch (RuntimeException e) {
      LOG.warn("Cannot ask the others whether they belong together with this member", e);
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
  public long forgettable() {
    long released = log.forgettable();
    long needed = ratis.confirmed(GONE_TIMEOUTS * options.electionTimeout().maxMs());
    return Math.min(released, Math.max(needed, released - MOST_KEPT_FOR_FOLLOWERS));
  }

  @Override
  public void apply(RaftEntry entry, TermIndex at) {
    store.apply(entry, at);
  }

  // ---- roles

  @Override
  public void leads(long term) {
    role.elected(term, () -> ratis.leads(term));
  }

  @Override
  public void leadsNoMore() {
    role.lost();
  }

  @Override
  public void leaderIs(RaftPeerId newLeader) {
    leaders.leaderIs(newLeader.toString(), ratis.term());
  }

  @Override
  public CompletableFuture<@Nullable TermIndex> install(RaftPeerId from, TermIndex firstInLog) {
    if (ratis.nextIndex() >= firstInLog.getIndex()) {
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

  private TermIndex install(RaftPeerId from) throws IOException {
    start.copies(0, 0);
    try {
      return install(from, MemberFolder.incoming(options, start::copies));
    } finally {
      start.copiesNoMore();
    }
  }

  private TermIndex install(RaftPeerId from, IncomingCopy incoming) throws IOException {
    String address = membership.addressOf(from.toString());
    if (hasCopied) { // and still lacks what the log no longer has
      incoming.fetchNew(address, options.security());
    } else {
      incoming.fetch(address, options.security());
    }
    AppliedMark mark = store.install(incoming);
    hasCopied = true;
    LOG.info("The copy is in place member={} position={}", self, mark.position());
    return TermIndex.valueOf(mark.term(), mark.index());
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
      throw new StoreException("The member does not know its group", e);
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

  /** Else it would stand by for ever, and the group would lack a member. */
  @Override
  public void ratisEnds() {
    if (takesPart) {
      failed(
          new IOException(
              "Ratis has ended, as it does when the process stood still for a minute: start the"
                  + " NameNode again"));
    }
  }

  private void failed(Throwable cause) {
    if (!closing) {
      LOG.error("This member takes part no more member={}", self, cause);
      role.listener().failed(cause);
    }
  }

  @Override
  public void transfer(String to) throws IOException {
    role.handOver(to, "an administrator had " + self + " hand over");
  }

  /** Whether reads here need no entry of the log. */
  boolean holdsLease() {
    return log.holdsLease();
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
    if (!role.isElected()) {
      throw new IOException("This NameNode does not lead; ask the one that leads");
    }
  }

  @Override
  public long compare(Pace pace, CheckListener told) throws IOException, InterruptedException {
    requireLeads();
    return comparisons.run(tables, pace, told);
  }

  // ---- what there is to know

  @Override
  public ReplicaStatus status() {
    if (!takesPart) { // Ratis knows nothing before
      ReplicaStatus.Applied own = new ReplicaStatus.Applied(applied.position(), 0);
      return new ReplicaStatus(options.self(), false, "", 0, own, leaders.read(false), List.of());
    }
    boolean leads = role.serves();
    ratis.hearLeader(leaders);
    return new ReplicaStatus(
        options.self(),
        leads,
        ratis.leader(),
        ratis.term(),
        new ReplicaStatus.Applied(applied.position(), entriesBehind()),
        leaders.read(leads),
        leads ? ratis.followers() : List.of());
  }

  private long entriesBehind() {
    TermIndex at = stateMachine.getLastAppliedTermIndex();
    return at == null ? 0 : Math.max(0, ratis.committedIndex() - at.getIndex());
  }

  @Override
  public ReplicaStart startProgress() {
    if (!takesPart) {
      return start.reading();
    }
    TermIndex at = stateMachine.getLastAppliedTermIndex();
    return start.takingPart(
        at == null ? -1 : at.getIndex(), ratis.committedIndex(), !ratis.leader().isEmpty());
  }

  @Override
  public Store applied() {
    return store.applied();
  }

  @Override
  public Checkpoints checkpoints() {
    return store.checkpoints(tables, log::snapshot);
  }

  @Override
  public long position() {
    return applied.position();
  }

  @Override
  public CompletableFuture<Void> await(long position) {
    return applied.await(position);
  }

  @Override
  public void close() {
    role.stepDown(self + " was stopped"); // so that another one leads at once
    end();
  }

  /** Without handing over. */
  void end() {
    closing = true;
    role.end();
    copies.shutdownNow();
    try {
      ratis.close();
    } catch (IOException e) {
      LOG.warn("Ratis did not end in order member={}", self, e);
    }
    watching.close();
    store.close();
  }
}
