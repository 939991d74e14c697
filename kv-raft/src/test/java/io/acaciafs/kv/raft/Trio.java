package io.acaciafs.kv.raft;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.protocol.TermIndex;
import org.jspecify.annotations.Nullable;

/** Three members in this process. */
final class Trio implements AutoCloseable {
  static final List<String> NAMES = List.of("nn1", "nn2", "nn3");
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(500);
  private static final long LOG_BYTES = 4 << 20;

  private final Path folder;
  private final Set<Table> tables;
  private final MemberNetwork network;
  private final ChannelSecurity security;
  private int timeoutMinMs;
  private long copyBytesPerSecond;
  private final String group;
  private final Map<String, String> addresses = new HashMap<>();
  private final Map<String, Member> members = new ConcurrentHashMap<>();
  private final AtomicLong starts = new AtomicLong();

  /** Members that reach each other on loopback. */
  Trio(Path folder, Set<Table> tables) throws IOException {
    this(folder, tables, ChannelSecurity.NONE);
  }

  /** The same of another cluster. */
  Trio(Path folder, Set<Table> tables, String group) throws IOException {
    this(folder, tables, new GrpcNetwork(ChannelSecurity.NONE), ChannelSecurity.NONE, 300, group);
  }

  /** The same, with connections that are secured. */
  Trio(Path folder, Set<Table> tables, ChannelSecurity security) throws IOException {
    this(folder, tables, new GrpcNetwork(security), security, 300, "a cluster");
  }

  /**
   * @param timeoutMinMs of elections; the longest one is twice that
   */
  Trio(Path folder, Set<Table> tables, MemberNetwork network, int timeoutMinMs) throws IOException {
    this(folder, tables, network, ChannelSecurity.NONE, timeoutMinMs, "a cluster");
  }

  private Trio(
      Path folder,
      Set<Table> tables,
      MemberNetwork network,
      ChannelSecurity security,
      int timeoutMinMs,
      String group)
      throws IOException {
    this.group = group;
    this.security = security;
    this.timeoutMinMs = timeoutMinMs;
    this.folder = folder;
    this.tables = tables;
    this.network = network;
    for (String name : NAMES) {
      chooseAddress(name);
    }
    try {
      for (String name : NAMES) {
        start(name);
      }
    } catch (IOException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private void chooseAddress(String name) throws IOException {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      addresses.put(name, "127.0.0.1:" + free.getLocalPort());
    }
  }

  String addressOf(String name) {
    return addresses.get(name);
  }

  /** A member, and the store that it has while it leads. */
  static final class Member implements Replica.Listener {
    final RaftMember raft;
    final MemberClock clock;
    volatile EngineStore store;
    volatile Throwable failure;

    /** Of another member's store, that it has begun to take. */
    final AtomicInteger copies;

    /** Held by clients that ask it. */
    final Semaphore clients = new Semaphore(TrioClients.MOST_AT_ONE);

    /** Nothing that it says is heard any more. */
    volatile boolean isWithoutPower;

    Member(RaftMember raft, MemberClock clock, AtomicInteger copies) {
      this.raft = raft;
      this.clock = clock;
      this.copies = copies;
    }

    @Override
    public void lead(EngineStore leading, long term) {
      store = leading;
    }

    @Override
    public void follow() {
      store = null;
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
    }
  }

  Path folderOf(String name) {
    return folder.resolve(name);
  }

  private RaftOptions options(String name) {
    return options(name, group);
  }

  /** A member that copies a store does not know yet whose it is. */
  private RaftOptions newOptions(String name) {
    return options(name, "null");
  }

  private RaftOptions options(String name, String ofGroup) {
    return new RaftOptions(
        name,
        addresses,
        ofGroup,
        folderOf(name),
        new ElectionTimeout(timeoutMinMs, 2 * timeoutMinMs),
        security,
        copyBytesPerSecond);
  }

  /** Of elections, at least; of members that start from now on. */
  void timeout(int minMs) {
    timeoutMinMs = minMs;
  }

  /** How fast members that start from now on take a copy of the store. */
  void limitCopies(long bytesPerSecond) {
    copyBytesPerSecond = bytesPerSecond;
  }

  /** Starts one that is no member yet, with a copy of another one's store. */
  void bootstrap(String name) throws IOException {
    chooseAddress(name);
    Bootstrap.run(newOptions(name));
    start(name);
  }

  /**
   * Starts one that is a member, and has lost its folder, with a copy of the leader's store.
   *
   * @param patienceMs how long to wait for a leader
   */
  void bootstrapAgain(String name, long patienceMs) throws IOException {
    Bootstrap.run(newOptions(name), patienceMs);
    start(name);
  }

  /** As a NameNode asks before it starts with a folder that was never in a group. */
  void requireNewGroup(String name) throws IOException {
    Bootstrap.requireNewGroup(options(name));
  }

  void start(String name) throws IOException {
    start(name, group);
  }

  /** Starts one whose folder is of another cluster, perhaps. */
  void start(String name, String ofGroup) throws IOException {
    MemberClock clock = new MemberClock(starts.incrementAndGet());
    AtomicInteger copies = new AtomicInteger();
    Member member =
        new Member(
            new RaftMember(
                options(name, ofGroup),
                tables,
                RocksDbOptions.defaults().withMaxWalBytes(LOG_BYTES),
                network,
                clock) {
              @Override
              public void leadsNoMore() {
                clock.awaitAsTheLast();
                super.leadsNoMore();
              }

              @Override
              public CompletableFuture<@Nullable TermIndex> install(
                  RaftPeerId from, TermIndex first) {
                CompletableFuture<@Nullable TermIndex> installed = super.install(from, first);
                if (!installed.isDone()) {
                  copies.incrementAndGet();
                }
                return installed;
              }
            },
            clock,
            copies);
    try {
      member.raft.start(member);
    } catch (IOException e) {
      member.raft.end();
      throw e;
    }
    members.put(name, member);
  }

  void stop(String name) {
    RaftMember member = members.remove(name).raft;
    QuickEnd.run(member, member::close);
  }

  /** As {@link #stop}, but a leader does not hand over. */
  void end(String name) {
    RaftMember member = members.remove(name).raft;
    QuickEnd.run(member, member::end);
  }

  Member member(String name) {
    return members.get(name);
  }

  /** Power fails at some members, which go on with what was synced. */
  void losePower(List<String> names, SimulatedNetwork simulated, Random random) throws IOException {
    for (String name : names) {
      simulated.cutOff(name);
      member(name).isWithoutPower = true;
    }
    for (String name : names) {
      PowerLoss.leave(folderOf(name), simulated.server(name), left(name), random);
    }
    endAll(names);
    for (String name : names) {
      PowerLoss.remove(folderOf(name));
      Files.move(left(name), folderOf(name));
    }
  }

  /** Stops a member, and what comes to it or from it, as SIGSTOP would. */
  void freeze(String name, SimulatedNetwork simulated) {
    simulated.hold(name);
    member(name).clock.stop();
  }

  /** Has it go on. */
  void thaw(String name, SimulatedNetwork simulated) {
    member(name).clock.goOn();
    simulated.release(name);
  }

  private Path left(String name) {
    return folder.resolve(name + "-left");
  }

  /** The name of the member that leads, once one does. */
  String awaitLeader() {
    return awaitLeaderOtherThan("");
  }

  /** Waits until another member leads. */
  String awaitLeaderOtherThan(String name) {
    String[] leader = {""};
    await(
        () -> "no leader but " + name,
        () -> {
          leader[0] = leaderOtherThan(name);
          return !leader[0].isEmpty();
        });
    return leader[0];
  }

  boolean hasLeaderOtherThan(String name) {
    return !leaderOtherThan(name).isEmpty();
  }

  private String leaderOtherThan(String name) {
    String[] leader = {""};
    members.forEach((other, member) -> leader[0] = leads(other, name) ? other : leader[0]);
    return leader[0];
  }

  private boolean leads(String name, String butNot) {
    Member member = members.get(name);
    return !name.equals(butNot)
        && member != null
        && member.store != null
        && member.raft.status().leads();
  }

  void await(Supplier<String> isNot, BooleanSupplier condition) {
    long beginNs = System.nanoTime();
    while (!condition.getAsBoolean()) {
      requireNoFailure();
      if (System.nanoTime() - beginNs > PATIENCE_NS) {
        throw new AssertionError("Waited too long: " + isNot.get() + ": " + describe());
      }
      LockSupport.parkNanos(PAUSE_NS);
    }
  }

  /** A member that takes part no more says why. */
  private void requireNoFailure() {
    members.forEach(
        (name, member) -> {
          if (member.failure != null) {
            throw new AssertionError(name + " failed", member.failure);
          }
        });
  }

  /** Waits until the log of a member no longer has its first entries. */
  void awaitPurge(String name) {
    Path log = folderOf(name).resolve("raft");
    await(
        () -> "the log of " + name + " still begins at 0",
        () -> {
          try (Stream<Path> files = Files.walk(log)) {
            return files.noneMatch(file -> file.getFileName().toString().startsWith("log_0-"));
          } catch (IOException | UncheckedIOException e) {
            return false; // files come and go
          }
        });
  }

  /** Waits until a member takes part no more, and ends it. */
  void awaitEnd(String name) {
    Member member = members.remove(name);
    await(() -> name + " takes part", () -> member.failure != null);
    QuickEnd.run(member.raft, member.raft::end);
  }

  /** How each member sees the group. */
  String describe() {
    return members.values().stream()
        .filter(member -> !member.clock.isStopped())
        .map(member -> member.raft.status().toString())
        .collect(Collectors.joining(", "));
  }

  /**
   * Waits until each member has applied a batch. Ratis counts no vote of a member whose log is
   * empty, so a group that was just made cannot lose its leader before.
   */
  void awaitEntryInEachLog() {
    NAMES.forEach(name -> awaitApplied(name, 1));
  }

  /** Whether each member has applied a batch. */
  boolean hasEntryInEachLog() {
    return NAMES.stream().allMatch(name -> position(name) >= 1);
  }

  /** One that does not lead. */
  String follower() {
    String leader = awaitLeader();
    return NAMES.stream().filter(name -> !name.equals(leader)).findFirst().orElseThrow();
  }

  /** One that is there. */
  String anyMember() {
    return members.keySet().iterator().next();
  }

  /** Waits until a member knows no leader. */
  void awaitNoLeader(Member member) {
    await(() -> "a leader is known", () -> member.raft.status().leader().isEmpty());
  }

  /** Waits until a member that led has no store any more. */
  void awaitFollows(String name) {
    await(() -> name + " leads", () -> member(name).store == null);
  }

  /** Waits until all members have applied the same; nobody writes. */
  void awaitSame() {
    await(
        () -> "not all members have applied the same",
        () -> NAMES.stream().map(this::position).distinct().count() == 1);
  }

  /** Waits until a member has applied what another one has. */
  void awaitApplied(String name, long position) {
    await(
        () -> name + " is at " + position(name) + ", not at " + position,
        () -> position(name) >= position);
  }

  private long position(String name) {
    return member(name).raft.status().position();
  }

  @Override
  public void close() {
    endAll();
  }

  /** All at once, as each end takes some heartbeats. */
  void endAll() {
    endAll(List.copyOf(members.keySet()));
  }

  private void endAll(List<String> names) {
    List<Thread> ends = new ArrayList<>();
    for (String name : names) {
      Thread end = new Thread(() -> end(name), "end-" + name);
      end.start();
      ends.add(end);
    }
    for (Thread end : ends) {
      try {
        end.join(TimeUnit.NANOSECONDS.toMillis(PATIENCE_NS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
