package io.acaciafs.kv.raft;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.raft.call.MemberConnection;
import io.acaciafs.kv.raft.compare.MemberViews;
import io.acaciafs.kv.raft.copy.MemberStanding;
import io.acaciafs.kv.raft.copy.StoreCopy;
import io.acaciafs.kv.raft.log.AppendOrder;
import io.acaciafs.kv.raft.log.AppliedIndexes;
import io.acaciafs.kv.raft.log.AppliedMark;
import io.acaciafs.kv.raft.log.BatchPieces;
import io.acaciafs.kv.raft.log.LeaderLease;
import io.acaciafs.kv.raft.log.OpenSegment;
import io.acaciafs.kv.raft.log.RaftEntry;
import io.acaciafs.kv.raft.log.RaftLog;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.util.SizeInBytes;

/**
 * A member that has a log and no store: what it applies it keeps in memory. Its log forgets what it
 * may at once. {@link RaftMember} drives the same parts.
 */
final class LogMember implements BatchStateMachine.Member {
  private static final long PATIENCE_MS = 5_000;

  final RaftOptions options;
  final RaftLog log;
  private final AppliedIndexes applied;
  private final AppendOrder order = new AppendOrder();
  private final BatchPieces pieces = new BatchPieces();
  private final NavigableMap<Long, byte[]> batches = new TreeMap<>();
  private final RatisServer ratis;
  private volatile boolean leads;
  private volatile boolean closing;

  LogMember(RaftOptions options, MemberNetwork network, int segmentBytes) throws IOException {
    this.options = options;
    boolean isNew = !AppliedMark.isIn(options.folder());
    if (isNew) {
      Files.createDirectories(options.folder());
      AppliedMark.NONE.write(options.folder());
    }
    AppliedMark mark = AppliedMark.read(options.folder());
    this.applied = new AppliedIndexes(mark);
    LeaderLease lease = new LeaderLease(options.electionTimeout().minMs(), System::nanoTime);
    this.log =
        new RaftLog(
            options.folder(), this::submit, this::forEachEntry, lease, applied, this::forget);
    log.open();
    if (!isNew) {
      OpenSegment.repair(options.logFolder(), mark.index());
    }
    this.ratis =
        RatisServer.of(
            options,
            !isNew,
            true,
            new BatchStateMachine(this, order),
            new ShortLogs(network, segmentBytes),
            answers());
  }

  /** A network of members that keep no entries for others. */
  private record ShortLogs(MemberNetwork network, int segmentBytes) implements MemberNetwork {
    @Override
    public void configure(
        RaftOptions options, Answers answers, RaftProperties properties, Parameters parameters) {
      network.configure(options, answers, properties, parameters);
      RaftServerConfigKeys.Log.setSegmentSizeMax(properties, SizeInBytes.valueOf(segmentBytes));
      RaftServerConfigKeys.Log.setPurgePreservationLogNum(properties, 0);
      RaftServerConfigKeys.Log.setPurgeGap(properties, 1);
    }

    @Override
    public MemberConnection connect(String self, RaftPeer to) {
      return network.connect(self, to);
    }
  }

  /** It has nothing to copy, or to compare. */
  private MemberNetwork.Answers answers() throws IOException {
    return new MemberNetwork.Answers(
        new StoreCopy(options.copyFolder(), folder -> {}, System::nanoTime),
        () -> new MemberStanding(0, 0, new UUID(0, 0), 0),
        new MemberViews(System::nanoTime));
  }

  void start() throws IOException {
    ratis.start();
  }

  void end() throws IOException {
    closing = true;
    ratis.close();
  }

  RatisServer ratis() {
    return ratis;
  }

  /** Whether it leads, and has applied what came before. */
  boolean isLeader() {
    return leads;
  }

  /** What it has applied, and did not append itself. */
  NavigableMap<Long, byte[]> replayed() {
    synchronized (batches) {
      return new TreeMap<>(batches);
    }
  }

  /** Waits for a while until a batch is applied. */
  void awaitApplied(long position) {
    try {
      applied.await(position).get(PATIENCE_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      throw new AssertionError(options.self() + " has not applied batch " + position, e);
    }
  }

  private CompletableFuture<Void> submit(ByteString entry) {
    return ratis.submit(entry);
  }

  private void forEachEntry(long after, long upTo, Consumer<RaftEntry> consumer)
      throws IOException {
    ratis.forEachEntry(after, upTo, consumer);
  }

  private void forget() {
    if (!closing) {
      ratis.forgetReleased();
    }
  }

  @Override
  public AppliedMark inFiles() {
    return applied.released();
  }

  @Override
  public long forgettable() {
    return log.forgettable();
  }

  @Override
  public void apply(RaftEntry entry, TermIndex at) {
    byte[] batch = entry.isEmpty() ? null : pieces.add(entry);
    if (batch == null) {
      return;
    }
    if (entry.position() != applied.position() + 1) {
      throw new StoreException("Batches before " + entry.position() + " are missing");
    }
    if (entry.term() != log.term()) {
      synchronized (batches) {
        batches.put(entry.position(), batch);
      }
    }
    applied.applied(new AppliedMark(entry.position(), at.getTerm(), at.getIndex()));
  }

  @Override
  public void leads(long term) {
    order.begin(term, applied.position() + 1);
    log.begin(term);
    leads = true;
  }

  @Override
  public void leadsNoMore() {
    leads = false;
    log.end();
  }

  @Override
  public void leaderIs(RaftPeerId leader) {}

  @Override
  public CompletableFuture<TermIndex> install(RaftPeerId leader, TermIndex firstInLog) {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void membersAre(List<RaftPeerId> members) {}

  @Override
  public void ratisEnds() {}

  @Override
  public void leavesGroup() {}

  @Override
  public void logFailed(Throwable cause) {}
}
