package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.StoreException;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the NameNode that leads does with calls that others hand to it. */
@Timeout(60)
class ForwardedCallsTest {
  private static final long TERM = 7;

  /** The retry counts of the calls that were run. */
  private final List<Integer> run = new CopyOnWriteArrayList<>();

  private final RpcProtocol client =
      RpcProtocol.builder(
              StandbyProtocols.CLIENT_PROTOCOL,
              1,
              ClientNamenodeProtocol.newReflectiveBlockingService(null))
          .method(
              "mkdirs",
              MkdirsRequestProto.class,
              (call, request) -> {
                run.add(call.retryCount());
                return ClientCall.MKDIRS_REPLY;
              })
          .otherwise(
              (call, request) -> {
                throw new UnsupportedOperationException(call.method());
              })
          .build();

  /** It was answered by another leader meanwhile, and must not take effect after that. */
  @Test
  void aCallOfAnEarlierTermIsNotRun() throws Exception {
    Configuration conf = new Configuration();
    AtomicLong term = new AtomicLong(TERM - 1);
    try (RpcServer server =
            server(client, new AtomicLong(), () -> CompletableFuture.completedFuture(null));
        Forwarder forwarder =
            new Forwarder(
                conf,
                UnaryOperator.identity(),
                leader(server.address(), term),
                Time::monotonicNow)) {
      assertThat(
              forwarder
                  .forward(
                      call(),
                      ClientCall.MKDIRS,
                      MkdirsResponseProto.getDefaultInstance(),
                      here -> null)
                  .get(60, TimeUnit.SECONDS))
          .isEqualTo(ClientCall.MKDIRS_REPLY);
    }
    assertThat(run).containsExactly(2); // the second attempt
  }

  private static RpcServer server(
      RpcProtocol client, AtomicLong state, Supplier<CompletableFuture<Void>> barrier)
      throws Exception {
    ForwardedCalls calls =
        new ForwardedCalls(
            client,
            CallListener.Provider.NONE,
            call -> {},
            member -> {},
            TERM,
            state::get,
            barrier);
    return RpcServer.start(RpcServerOptions.builder().build(), List.of(calls.protocol()));
  }

  /** What another leader may have acknowledged meanwhile would not be part of an earlier one. */
  @Test
  void itsStateIsToldOnceNoOtherCanLead() throws Exception {
    AtomicLong state = new AtomicLong(5);
    CompletableFuture<Void> asked = new CompletableFuture<>();
    CompletableFuture<Void> proved = new CompletableFuture<>();
    try (RpcServer server =
            server(
                client,
                state,
                () -> {
                  asked.complete(null);
                  return proved;
                });
        Forwarder forwarder =
            new Forwarder(
                new Configuration(),
                UnaryOperator.identity(),
                leader(server.address(), new AtomicLong(TERM)),
                () -> 0)) {
      CompletableFuture<Long> told = forwarder.leaderState();
      asked.get(60, TimeUnit.SECONDS);
      assertThat(told).isNotDone();
      state.set(6);
      proved.complete(null);
      assertThat(told.get(60, TimeUnit.SECONDS)).isEqualTo(6);
    }
    assertThat(run).isEmpty();
  }

  @Test
  void aLeaderThatMayLeadNoMoreTellsNoState() throws Exception {
    try (RpcServer server =
            server(
                client,
                new AtomicLong(5),
                () -> CompletableFuture.failedFuture(new StoreException("Another one leads")));
        Forwarder forwarder =
            new Forwarder(
                new Configuration(),
                UnaryOperator.identity(),
                leader(server.address(), new AtomicLong(TERM)),
                () -> 0)) {
      assertThat(forwarder.leaderState())
          .failsWithin(Duration.ofSeconds(20))
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(IOException.class);
    }
  }

  /** Each time that it is asked it knows a later term. */
  private static Forwarder.Leader leader(InetSocketAddress address, AtomicLong term) {
    return new Forwarder.Leader() {
      @Override
      public Forwarder.@Nullable Elsewhere elsewhere() {
        return new Forwarder.Elsewhere("nn1", Math.min(TERM, term.getAndIncrement()), address);
      }

      @Override
      public boolean isHere() {
        return false;
      }
    };
  }

  private static ForwardedCall call() throws Exception {
    return ClientCall.of("mkdirs", ClientCall.MKDIRS);
  }
}
