package io.acaciafs.kv.raft;

import static java.util.Objects.requireNonNull;

import io.acaciafs.kv.raft.call.BytesService;
import io.acaciafs.kv.raft.call.MemberConnection;
import java.io.IOException;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.TimeoutIOException;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.util.TimeDuration;

/**
 * A network in this process. It delays messages, loses them, delivers some of the lost ones late,
 * and can be cut between two members, in one direction or both. What is drawn depends on a seed;
 * which message it meets depends on the threads of the members.
 */
final class SimulatedNetwork implements MemberNetwork, AutoCloseable {
  private static final TimeDuration FIRST_ELECTION_MIN =
      TimeDuration.valueOf(50, TimeUnit.MILLISECONDS);
  private static final TimeDuration FIRST_ELECTION_MAX =
      TimeDuration.valueOf(100, TimeUnit.MILLISECONDS);

  /** How long a sender waits for the answer to a lost message. */
  private static final long LOSS_NOTICED_MS = 20;

  private static final long LATEST_MS = 400;
  private static final long LONGEST_HOLD_NS = TimeUnit.SECONDS.toNanos(4);
  private static final long HOLD_CHECKED_US = 500;
  private static final int THOUSAND = 1_000;

  private record Link(RaftPeerId from, RaftPeerId to) {}

  private final Random random;
  private final Map<RaftPeerId, RaftServer> servers = new ConcurrentHashMap<>();
  private final Map<RaftPeerId, BytesService.Answerer> views = new ConcurrentHashMap<>();
  private final Set<Link> cut = ConcurrentHashMap.newKeySet();
  private final Set<RaftPeerId> held = ConcurrentHashMap.newKeySet();
  private final ScheduledExecutorService late =
      Executors.newScheduledThreadPool(2, task -> new Thread(task, "late-message"));
  private volatile int lostOfThousand;
  private volatile long longestDelayUs;

  SimulatedNetwork(long seed) {
    this.random = new Random(seed);
  }

  /** Gives a message to a member. */
  @FunctionalInterface
  interface Handler<Q, R> {
    R handle(RaftServer server, Q request) throws IOException;
  }

  @Override
  public void configure(
      RaftOptions options, Answers answers, RaftProperties properties, Parameters parameters) {
    views.put(RaftPeerId.valueOf(options.self()), answers.views());
    org.apache.ratis.RaftConfigKeys.Rpc.setType(properties, new SimulatedRpc());
    parameters.put(SimulatedRpc.NETWORK, this, SimulatedNetwork.class);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(properties, FIRST_ELECTION_MIN);
    RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(properties, FIRST_ELECTION_MAX);
  }

  /** Each request has a thread of its own, as members on machines of their own have. */
  @Override
  public MemberConnection connect(String self, RaftPeer to) {
    RaftPeerId from = RaftPeerId.valueOf(self);
    return new MemberConnection() {
      @Override
      public CompletableFuture<byte[]> ask(byte[] request, long patienceMs) {
        CompletableFuture<byte[]> answer = new CompletableFuture<>();
        new Thread(() -> answer(from, to.getId(), request, answer), "ask-" + to.getId()).start();
        return answer;
      }

      @Override
      public void close() {}
    };
  }

  private void answer(
      RaftPeerId from, RaftPeerId to, byte[] request, CompletableFuture<byte[]> answer) {
    try {
      answer.complete(
          send(
              from,
              to,
              request,
              (server, bytes) -> requireNonNull(views.get(server.getId())).answer(bytes)));
    } catch (IOException | RuntimeException e) {
      answer.completeExceptionally(e);
    }
  }

  void join(RaftServer server) {
    servers.put(server.getId(), server);
  }

  void leave(RaftServer server) {
    servers.remove(server.getId(), server);
  }

  /** How messages fare where the network is not cut. */
  void quality(int newLostOfThousand, long newLongestDelayUs) {
    lostOfThousand = newLostOfThousand;
    longestDelayUs = newLongestDelayUs;
  }

  /** Cuts what a member sends to the others. */
  void cutFrom(String member) {
    for (String other : Trio.NAMES) {
      cut.add(new Link(RaftPeerId.valueOf(member), RaftPeerId.valueOf(other)));
    }
  }

  /** Cuts what the others send to a member. */
  void cutTo(String member) {
    for (String other : Trio.NAMES) {
      cut.add(new Link(RaftPeerId.valueOf(other), RaftPeerId.valueOf(member)));
    }
  }

  /** Cuts a member off in both directions. */
  void cutOff(String member) {
    cutFrom(member);
    cutTo(member);
  }

  void heal() {
    cut.clear();
  }

  /** The server of a member that takes part. */
  RaftServer server(String member) throws IOException {
    return requireServer(RaftPeerId.valueOf(member));
  }

  /** A member is stopped: what it sends, and what is sent to it, comes when it goes on. */
  void hold(String member) {
    held.add(RaftPeerId.valueOf(member));
  }

  void release(String member) {
    held.remove(RaftPeerId.valueOf(member));
  }

  /**
   * Sends a message and waits for the answer.
   *
   * @throws TimeoutIOException when either is lost; the message may have arrived, or arrive later
   */
  <Q, R> R send(RaftPeerId from, RaftPeerId to, Q request, Handler<Q, R> handler)
      throws IOException {
    pass(from, to, () -> handler.handle(requireServer(to), request));
    R reply = handler.handle(requireServer(to), request);
    pass(to, from, () -> {});
    return reply;
  }

  private RaftServer requireServer(RaftPeerId id) throws IOException {
    RaftServer server = servers.get(id);
    if (server == null) {
      throw new IOException("Connection refused: " + id);
    }
    return server;
  }

  /** Delivers a message that its sender believes to be lost. */
  @FunctionalInterface
  private interface Delivery {
    void run() throws IOException;
  }

  private void pass(RaftPeerId from, RaftPeerId to, Delivery lateDelivery) throws IOException {
    parkMicros(draw(longestDelayUs));
    awaitRelease(from, to);
    boolean isCut = cut.contains(new Link(from, to));
    if (!isCut && draw(THOUSAND) >= lostOfThousand) {
      return;
    }
    if (!isCut && draw(2) == 0) {
      late.schedule(() -> deliver(lateDelivery), draw(LATEST_MS), TimeUnit.MILLISECONDS);
    }
    parkMicros(TimeUnit.MILLISECONDS.toMicros(LOSS_NOTICED_MS));
    throw new TimeoutIOException("No answer from " + to + " to " + from);
  }

  private void awaitRelease(RaftPeerId from, RaftPeerId to) throws TimeoutIOException {
    long beganNs = System.nanoTime();
    while (held.contains(from) || held.contains(to)) {
      if (System.nanoTime() - beganNs > LONGEST_HOLD_NS || Thread.currentThread().isInterrupted()) {
        throw new TimeoutIOException("No answer from " + to + " to " + from);
      }
      parkMicros(HOLD_CHECKED_US);
    }
  }

  private static void deliver(Delivery delivery) {
    try {
      delivery.run();
    } catch (IOException | RuntimeException e) {
      // nobody waits for it
    }
  }

  private long draw(long bound) {
    synchronized (random) {
      return bound == 0 ? 0 : random.nextLong(bound);
    }
  }

  private static void parkMicros(long micros) {
    if (micros > 0) {
      LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(micros));
    }
  }

  @Override
  public void close() {
    late.shutdownNow();
  }
}
