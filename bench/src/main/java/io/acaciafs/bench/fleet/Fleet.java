package io.acaciafs.bench.fleet;

import com.sun.management.UnixOperatingSystemMXBean;
import io.acaciafs.bench.client.LoadGenerator;
import io.acaciafs.bench.fleet.FleetCounts.Kind;
import io.acaciafs.bench.workload.Replicas;
import io.acaciafs.rpc.options.Transport;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.LocatedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;

/**
 * Many DataNodes of some NameNodes, until {@link #close}. Each reports to all of the NameNodes; its
 * heartbeats begin at a moment of its own, and the first one to a NameNode registers it there. The
 * threads {@code fleet-N} do all of it. Any thread may use it.
 */
public final class Fleet implements Replicas, AutoCloseable {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long TURN_MS = 10;
  private static final long CLOSE_LIMIT_MS = 10_000;

  /** Of the process, beside the connections: jars, logs, sockets of clients. */
  private static final int OTHER_FILES = 300;

  /**
   * What the DataNodes are.
   *
   * @param uuidPrefix each has this and its number for a uuid
   * @param user of their processes
   * @param heartbeat the interval
   */
  public record Plan(
      int datanodes, String uuidPrefix, String user, Duration heartbeat, int threads) {}

  /** A DataNode and what it has with each NameNode. */
  private record Member(EventLoop loop, SimulatedDatanode datanode, List<NameNodeLink> links) {}

  private final FleetCounts counts = new FleetCounts();
  private final Map<InetSocketAddress, Reachability> reachable = new HashMap<>();
  private final List<Member> members = new ArrayList<>();
  private final Map<String, Member> byUuid = new HashMap<>();
  private final List<ScheduledFuture<?>> turns = new ArrayList<>();
  private final EventLoopGroup network;
  private final int links;

  private Fleet(
      Plan plan,
      List<InetSocketAddress> nameNodes,
      NamespaceInfo namespace,
      Holdings holdings,
      SplittableRandom random) {
    Transport transport = Transport.of(LoadGenerator.epollIfAny());
    network =
        new MultiThreadIoEventLoopGroup(
            plan.threads(), new DefaultThreadFactory("fleet", true), transport.handlers());
    links = plan.datanodes() * nameNodes.size();
    nameNodes.forEach(each -> reachable.put(each, new Reachability()));
    long intervalUs = TimeUnit.NANOSECONDS.toMicros(plan.heartbeat().toNanos());
    for (int i = 0; i < plan.datanodes(); i++) {
      EventLoop loop = network.next();
      Bootstrap bootstrap = new Bootstrap().group(loop).channel(transport.channel());
      SimulatedDatanode datanode = new SimulatedDatanode(i, plan.uuidPrefix(), namespace, holdings);
      CallFrames frames = new CallFrames(plan.user(), random);
      List<NameNodeLink> toAll =
          nameNodes.stream().map(each -> newLink(datanode, each, bootstrap, loop, frames)).toList();
      for (NameNodeLink link : toAll) {
        loop.scheduleAtFixedRate(
            link::beat, random.nextLong(intervalUs), intervalUs, TimeUnit.MICROSECONDS);
      }
      Member member = new Member(loop, datanode, toAll);
      members.add(member);
      byUuid.put(datanode.uuid(), member);
    }
  }

  private NameNodeLink newLink(
      SimulatedDatanode datanode,
      InetSocketAddress nameNode,
      Bootstrap bootstrap,
      EventLoop loop,
      CallFrames frames) {
    Reachability known = Objects.requireNonNull(reachable.get(nameNode), "each has one");
    return new NameNodeLink(datanode, nameNode, known, bootstrap, loop, counts, frames);
  }

  /**
   * Starts them; they register within the first interval, if they are let.
   *
   * @param holdings what they have and the NameNodes know
   */
  public static Fleet start(Plan plan, List<InetSocketAddress> nameNodes, Holdings holdings)
      throws IOException {
    checkOpenFiles((long) plan.datanodes() * nameNodes.size());
    DatanodeProtocolClientSideTranslatorPB nameNode =
        new DatanodeProtocolClientSideTranslatorPB(nameNodes.get(0), new Configuration());
    try {
      return new Fleet(
          plan, nameNodes, nameNode.versionRequest(), holdings, new SplittableRandom());
    } finally {
      nameNode.close();
    }
  }

  private static void checkOpenFiles(long connections) throws IOException {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        && connections + OTHER_FILES > system.getMaxFileDescriptorCount()) {
      throw new IOException(
          String.format(
              "%,d connections and %,d other files are more than the %,d files that a process may"
                  + " open here (ulimit -n)",
              connections, OTHER_FILES, system.getMaxFileDescriptorCount()));
    }
  }

  /** How many connections there are when all are connected. */
  int links() {
    return links;
  }

  FleetCounts counts() {
    return counts;
  }

  /**
   * Waits until so much more has been answered than at a time before.
   *
   * @param before what {@link FleetCounts#of} said then
   */
  void await(Kind kind, long before, long more, Duration limit) throws IOException {
    await(
        () -> counts.of(kind) - before >= more,
        () -> String.format("%s: %,d of %,d", kind, counts.of(kind) - before, more),
        limit);
  }

  /** Waits until all have noticed that the NameNodes have ended. */
  void awaitDisconnected(Duration limit) throws IOException {
    await(() -> connections() == 0, () -> connections() + " connections are open", limit);
  }

  private int connections() {
    return reachable.values().stream().mapToInt(Reachability::connections).sum();
  }

  private void await(BooleanSupplier condition, Supplier<String> state, Duration limit)
      throws IOException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            String.format(
                "%s after %d s; failures: %s", state.get(), limit.toSeconds(), counts.failures()));
      }
      LockSupport.parkNanos(LOOK_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedIOException("interrupted while DataNodes were at work");
      }
    }
  }

  /**
   * Whether each has a full report for every NameNode that lets it send one; true: once, and until
   * then.
   */
  public void wantFullReports(boolean want) {
    forEachMember(member -> member.links().forEach(link -> link.wantFullReport(want)));
  }

  /**
   * All register again with their next heartbeat.
   *
   * @param reports as one does whose process has started: it has a full report as well
   */
  public void restart(boolean reports) {
    forEachMember(member -> member.links().forEach(link -> link.restart(reports)));
  }

  /** From now on all have so many storages. */
  public void storages(int count) {
    forEachMember(member -> member.datanode().storages(count));
  }

  private void forEachMember(Consumer<Member> order) {
    members.forEach(member -> member.loop().execute(() -> order.accept(member)));
  }

  /**
   * Begins to have replicas deleted and received again.
   *
   * @param reports a second, of DataNodes in turn
   * @param replicas in a report, each of which goes and comes
   */
  public void beginChurn(int reports, int replicas) {
    beginTurns(reports, member -> goAndCome(member, replicas));
  }

  /**
   * Begins to send more heartbeats than the DataNodes' own.
   *
   * @param heartbeats a second to each NameNode, of DataNodes in turn
   */
  public void beginMoreHeartbeats(int heartbeats) {
    beginTurns(heartbeats, member -> member.links().forEach(NameNodeLink::beat));
  }

  private void beginTurns(int membersASecond, Consumer<Member> order) {
    int[] next = {0};
    double perTurn = membersASecond * TURN_MS / 1000.0;
    double[] due = {0};
    turns.add(
        network
            .next()
            .scheduleAtFixedRate(
                () -> {
                  for (due[0] += perTurn; due[0] >= 1; due[0]--) {
                    Member member = members.get(next[0]++ % members.size());
                    member.loop().execute(() -> order.accept(member));
                  }
                },
                TURN_MS,
                TURN_MS,
                TimeUnit.MILLISECONDS));
  }

  private static void goAndCome(Member member, int replicas) {
    List<SimulatedDatanode.Event> events = member.datanode().comingsAndGoings(replicas);
    member.links().forEach(link -> link.tell(events));
  }

  /** Ends what was begun of these. */
  public void endTurns() {
    turns.forEach(each -> each.cancel(false));
    turns.clear();
  }

  @Override
  public CompletableFuture<Void> report(LocatedBlockProto located, long lengthBytes) {
    return Replicas.reportBy(located, lengthBytes, byUuid, Fleet::receive);
  }

  private static CompletableFuture<Void> receive(Member member, Block block) {
    List<CompletableFuture<Void>> told = new ArrayList<>();
    member.links().forEach(link -> told.add(new CompletableFuture<>()));
    member
        .loop()
        .execute(
            () -> {
              member.datanode().receive(block);
              for (int i = 0; i < told.size(); i++) {
                member
                    .links()
                    .get(i)
                    .tell(
                        List.of(
                            SimulatedDatanode.event(
                                block, BlockStatus.RECEIVED_BLOCK, told.get(i))));
              }
            });
    return CompletableFuture.allOf(told.toArray(CompletableFuture<?>[]::new));
  }

  /** Closes the connections, and ends the threads. */
  @Override
  public void close() {
    endTurns();
    forEachMember(member -> member.links().forEach(NameNodeLink::close));
    network
        .shutdownGracefully(0, CLOSE_LIMIT_MS, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(CLOSE_LIMIT_MS);
  }
}
