package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetFileInfoResponseProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseCollectionProto;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshResponseProto;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls that are handed to the NameNode that leads. */
@Timeout(60)
class ForwarderTest {
  private static final GetFileInfoRequestProto REQUEST =
      GetFileInfoRequestProto.newBuilder().setSrc("/a").build();
  private static final Message REPLY = GetFileInfoResponseProto.getDefaultInstance();

  private static final long TERM = 7;

  /** Less than what a call to a NameNode may last. */
  private static final long PROMPT_S = 20;

  private final KnownLeader leader = new KnownLeader();
  private final List<Integer> retryCounts = new CopyOnWriteArrayList<>();
  private final List<Long> terms = new CopyOnWriteArrayList<>();
  private final CompletableFuture<Void> isAsked = new CompletableFuture<>();
  private volatile CompletableFuture<Void> mayAnswer = CompletableFuture.completedFuture(null);

  private static final class KnownLeader implements Forwarder.Leader {
    private volatile Forwarder.@Nullable Elsewhere elsewhere;
    private volatile boolean here;
    private volatile CountDownLatch looks = new CountDownLatch(0);

    @Override
    public Forwarder.@Nullable Elsewhere elsewhere() {
      looks.countDown();
      return elsewhere;
    }

    @Override
    public boolean isHere() {
      return here;
    }
  }

  /** A NameNode that stands still: its system takes connections, and nobody answers. */
  private static ServerSocket stopped() throws Exception {
    return new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
  }

  private static Forwarder.Elsewhere leads(ServerSocket socket) {
    return new Forwarder.Elsewhere("nn1", TERM, (InetSocketAddress) socket.getLocalSocketAddress());
  }

  /** Notes which repetitions of calls it was asked for. */
  private RpcServer serving() throws Exception {
    return RpcServer.start(
        RpcServerOptions.builder().build(),
        List.of(
            RpcProtocol.builder(
                    ForwardProtocol.NAME,
                    ForwardProtocol.VERSION,
                    GenericRefreshProtocolService.newReflectiveBlockingService(null))
                .blockingMethod(
                    "refresh", GenericRefreshRequestProto.class, (call, message) -> answer(message))
                .build()));
  }

  private Message answer(GenericRefreshRequestProto message) throws IOException {
    ForwardedCall call = ForwardedCall.decode(message, REQUEST);
    retryCounts.add(call.retryCount());
    terms.add(call.term());
    isAsked.complete(null);
    mayAnswer.join();
    return GenericRefreshResponseCollectionProto.newBuilder()
        .addResponses(
            GenericRefreshResponseProto.newBuilder()
                .setExitStatus(0)
                .setUserMessage(ForwardedCall.encode(REPLY)))
        .build();
  }

  private static ForwardedCall call() throws Exception {
    return ClientCall.of("getFileInfo", REQUEST);
  }

  private @Nullable CompletableFuture<Message> runHere(RpcCall call) {
    if (!leader.here) {
      return null;
    }
    retryCounts.add(call.retryCount());
    return CompletableFuture.completedFuture(REPLY);
  }

  /** The client may have sent it to another NameNode too. */
  @Test
  void aCallIsForwardedAsARepetition() throws Exception {
    try (RpcServer first = serving();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      CompletableFuture<Message> result = forwarder.forward(call(), REQUEST, REPLY, this::runHere);
      leader.elsewhere = new Forwarder.Elsewhere("nn1", TERM, first.address());
      assertThat(result.get(PROMPT_S, TimeUnit.SECONDS)).isEqualTo(REPLY);
      assertThat(retryCounts).containsExactly(1);
    }
  }

  @Test
  void aCallGoesOnToTheNextLeaderWhenOneStandsStill() throws Exception {
    try (ServerSocket stopped = stopped();
        RpcServer next = serving();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      leader.elsewhere = leads(stopped);
      CompletableFuture<Message> result =
          forwarder.forward(call(), REQUEST, REPLY, repetition -> null);
      try (Socket asked = stopped.accept()) {
        assertThat(asked.getInputStream().read()).isPositive();
        assertThat(result).isNotDone();
        leader.elsewhere = new Forwarder.Elsewhere("nn2", TERM + 1, next.address());
        assertThat(result.get(PROMPT_S, TimeUnit.SECONDS)).isEqualTo(REPLY);
        assertThat(retryCounts).containsExactly(2); // it may have been done by the one before
        assertThat(terms).containsExactly(TERM + 1);
      }
    }
  }

  /** As with a name of several addresses, or one that does not resolve for a moment. */
  @Test
  void aCallStaysWithALeaderWhoseNameHasAnotherAddressNow() throws Exception {
    try (RpcServer slow = serving();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      mayAnswer = new CompletableFuture<>();
      leader.elsewhere = new Forwarder.Elsewhere("nn1", TERM, slow.address());
      CompletableFuture<Message> result = forwarder.forward(call(), REQUEST, REPLY, this::runHere);
      isAsked.get(PROMPT_S, TimeUnit.SECONDS);
      leader.elsewhere =
          new Forwarder.Elsewhere("nn1", TERM, InetSocketAddress.createUnresolved("nn1", 1));
      CountDownLatch looks = new CountDownLatch(3); // all that one leads to is done by the next
      leader.looks = looks;
      assertThat(looks.await(PROMPT_S, TimeUnit.SECONDS)).isTrue();
      mayAnswer.complete(null);
      assertThat(result.get(PROMPT_S, TimeUnit.SECONDS)).isEqualTo(REPLY);
      assertThat(retryCounts).containsExactly(1);
    }
  }

  @Test
  void aCallRunsHereWhenThisNameNodeLeadsNext() throws Exception {
    try (ServerSocket stopped = stopped();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      leader.elsewhere = leads(stopped);
      CompletableFuture<Message> result = forwarder.forward(call(), REQUEST, REPLY, this::runHere);
      try (Socket asked = stopped.accept()) {
        assertThat(asked.getInputStream().read()).isPositive();
        assertThat(result).isNotDone();
        leader.here = true;
        assertThat(result.get(PROMPT_S, TimeUnit.SECONDS)).isEqualTo(REPLY);
        assertThat(retryCounts).containsExactly(2);
      }
    }
  }

  @Test
  void theStateOfNobodyIsNotTold() throws Exception {
    try (Forwarder forwarder =
        new Forwarder(new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      assertThat(forwarder.leaderState()).isCompletedExceptionally();
    }
  }

  @Test
  void whoAsksForAStateWaitsForNoLeaderThatStandsStill() throws Exception {
    try (ServerSocket stopped = stopped();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      leader.elsewhere = leads(stopped);
      CompletableFuture<Long> state = forwarder.leaderState();
      try (Socket asked = stopped.accept()) {
        assertThat(asked.getInputStream().read()).isPositive();
        assertThat(state).isNotDone();
        leader.here = true;
        assertThat(state).failsWithin(Duration.ofSeconds(PROMPT_S));
      }
    }
  }

  /** An earlier version knows no such question. */
  @Test
  void aLeaderThatDoesNotUnderstandTellsNoState() throws Exception {
    try (RpcServer earlier = serving();
        Forwarder forwarder =
            new Forwarder(
                new Configuration(), UnaryOperator.identity(), leader, Time::monotonicNow)) {
      leader.elsewhere = new Forwarder.Elsewhere("nn1", TERM, earlier.address());
      assertThat(forwarder.leaderState()).failsWithin(Duration.ofSeconds(PROMPT_S));
    }
  }
}
