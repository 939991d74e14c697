package io.acaciafs.kv.raft;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.log.RaftLog;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.LogConformance;
import io.acaciafs.kv.rocksdb.log.local.LocalLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;

/**
 * The log of the member that leads, among three whose messages come late or get lost. Power fails
 * at all three at once. The log fails when the others do not hear its member, or it does not hear
 * them.
 */
class RaftLogConformanceTest extends LogConformance {
  private static final int HISTORIES = Integer.getInteger("acacia.raft-log-histories", 1);
  private static final int LOST_OF_THOUSAND = 10;
  private static final long LONGEST_DELAY_US = 1_000;
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** Long, so that a busy machine costs no leadership. */
  private static final ElectionTimeout TIMEOUT = new ElectionTimeout(500, 1_000);

  private final List<SimulatedNetwork> networks = new ArrayList<>();

  @Override
  protected int histories() {
    return HISTORIES;
  }

  @Override
  protected Machine newMachine(long seed) {
    return new Machines(seed);
  }

  @AfterEach
  void closeNetworks() {
    networks.forEach(SimulatedNetwork::close);
  }

  /** Three that have the log together. */
  private final class Machines implements Machine {
    private final Path folder = scratch.resolve("machines-" + networks.size());
    private final SimulatedNetwork network;
    private final List<LogMember> members = new ArrayList<>();
    private boolean failed;

    Machines(long seed) {
      network = new SimulatedNetwork(seed);
      networks.add(network);
    }

    private RaftOptions options(String name) {
      return new RaftOptions(
          name,
          Trio.NAMES.stream().collect(Collectors.toMap(member -> member, member -> member + ":1")),
          "a group",
          folder.resolve(name),
          TIMEOUT,
          ChannelSecurity.NONE,
          0);
    }

    @Override
    public CommitLog open(CommitLog.Replay replay) {
      network.heal();
      network.quality(LOST_OF_THOUSAND, LONGEST_DELAY_US);
      failed = false;
      members.clear();
      try {
        for (String name : Trio.NAMES) {
          members.add(new LogMember(options(name), network, SEGMENT_BYTES));
        }
        for (LogMember member : members) {
          member.start();
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      LogMember leader = awaitLeader();
      for (Map.Entry<Long, byte[]> batch : leader.replayed().entrySet()) {
        replay.batch(batch.getKey(), batch.getValue(), 0, batch.getValue().length);
      }
      return new OfLeader(leader.log);
    }

    private LogMember awaitLeader() {
      long beganNs = System.nanoTime();
      while (System.nanoTime() - beganNs < PATIENCE_NS) {
        for (LogMember member : members) {
          if (member.isLeader()) {
            return member;
          }
        }
        LockSupport.parkNanos(PAUSE_NS);
      }
      throw new AssertionError("No leader");
    }

    @Override
    public CommitLog open(Path copy, CommitLog.Replay replay) {
      return LocalLog.open(copy, SEGMENT_BYTES, replay);
    }

    @Override
    public void failSoon(Random random) {
      if (failed) {
        return;
      }
      LogMember leader = awaitLeader();
      awaitApplied(leader.log, leader.log.durable());
      failed = true;
      String name = leader.options.self();
      switch (random.nextInt(3)) {
        case 0 -> network.cutOff(name);
        case 1 -> network.cutFrom(name);
        default -> network.cutTo(name);
      }
    }

    /** Waits until all members have applied a batch. */
    private void awaitApplied(RaftLog leading, long position) {
      leading.readBarrier(); // tells the others what is committed
      members.forEach(member -> member.awaitApplied(position));
    }

    @Override
    public Machine afterPowerLoss(Random random) throws IOException {
      Trio.NAMES.forEach(network::cutOff);
      Machines left = new Machines(random.nextLong());
      Files.createDirectories(left.folder);
      for (LogMember member : members) {
        Path target = left.folder.resolve(member.options.self());
        PowerLoss.leave(
            member.options.folder(), network.server(member.options.self()), target, random);
      }
      return left;
    }

    /** The log as a store would have it. Each member's store puts batches into its own files. */
    private final class OfLeader implements CommitLog {
      private final RaftLog log;

      OfLeader(RaftLog log) {
        this.log = log;
      }

      @Override
      public void release(long upTo) {
        if (!failed) {
          awaitApplied(log, upTo);
        }
        members.forEach(member -> member.log.release(upTo));
      }

      @Override
      public void close() {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (LogMember member : members) {
          ends.add(CompletableFuture.runAsync(() -> end(member)));
        }
        ends.forEach(CompletableFuture::join);
      }

      private static void end(LogMember member) {
        try {
          member.end();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }

      @Override
      public long append(ByteBuffer batch) {
        return log.append(batch);
      }

      @Override
      public CompletableFuture<Void> sync() {
        return log.sync();
      }

      @Override
      public long durable() {
        return log.durable();
      }

      @Override
      public boolean isReplicated() {
        return log.isReplicated();
      }

      @Override
      public CompletableFuture<Void> readBarrier() {
        return log.readBarrier();
      }

      @Override
      public boolean holdsLease() {
        return log.holdsLease();
      }

      @Override
      public long roll() {
        return log.roll();
      }

      @Override
      public Snapshot snapshot() {
        return log.snapshot();
      }
    }
  }
}
