package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.MethodHandler;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.junit.jupiter.api.Test;

/** A client sends each call to all NameNodes, of which two hand it to the third. */
class HedgedCallsTest {
  private static final int MOST = 2;

  /** The answers of the calls that were run, in their order. */
  private final List<CompletableFuture<MkdirsResponseProto>> run = new ArrayList<>();

  private final RpcProtocol protocol =
      new HedgedCalls(MOST)
          .of(
              RpcProtocol.builder(
                      StandbyProtocols.CLIENT_PROTOCOL,
                      1,
                      ClientNamenodeProtocol.newReflectiveBlockingService(null))
                  .asyncMethod(
                      "mkdirs",
                      MkdirsRequestProto.class,
                      (call, request) -> {
                        run.add(new CompletableFuture<>());
                        return run.get(run.size() - 1);
                      })
                  .build());

  private static ForwardedCall call(String user) throws Exception {
    return ClientCall.of("mkdirs", ClientCall.MKDIRS, user, "", List.of());
  }

  /** As it comes from the client itself: {@link #forwarded} is how a standby hands it on. */
  private static RpcCall direct(ForwardedCall call) {
    return (RpcCall)
        Proxy.newProxyInstance(
            RpcCall.class.getClassLoader(),
            new Class<?>[] {RpcCall.class},
            (proxy, method, arguments) -> method.invoke(call, arguments));
  }

  private static ForwardedCall forwarded(ForwardedCall call, int attempts) throws Exception {
    return ForwardedCall.decode(
        ForwardedCall.encode(call, ClientCall.MKDIRS, attempts, 1), ClientCall.MKDIRS);
  }

  private CompletableFuture<? extends Message> answer(RpcCall call) throws Exception {
    MethodHandler.ByFuture handler =
        (MethodHandler.ByFuture) protocol.methods().get("mkdirs").handler();
    return handler.method().call(call, ClientCall.MKDIRS).toCompletableFuture();
  }

  @Test
  void copiesGetTheAnswerOfTheFirstAlsoWhenItHasEnded() throws Exception {
    ForwardedCall call = call("alice");
    CompletableFuture<? extends Message> first = answer(forwarded(call, 0));
    CompletableFuture<? extends Message> second = answer(direct(call));
    assertThat(second).isNotDone();
    run.get(0).complete(ClientCall.MKDIRS_REPLY);
    assertThat(first).isCompletedWithValueMatching(ClientCall.MKDIRS_REPLY::equals);
    assertThat(second).isCompletedWithValueMatching(ClientCall.MKDIRS_REPLY::equals);
    assertThat(answer(forwarded(call, 0)))
        .isCompletedWithValueMatching(ClientCall.MKDIRS_REPLY::equals);
    assertThat(run).hasSize(1);
  }

  @Test
  void copiesFailAsTheFirst() throws Exception {
    ForwardedCall call = call("alice");
    CompletableFuture<? extends Message> first = answer(direct(call));
    run.get(0).completeExceptionally(new RetriableException("later"));
    for (CompletableFuture<? extends Message> each : List.of(first, answer(forwarded(call, 0)))) {
      assertThat(each)
          .failsWithin(Duration.ZERO)
          .withThrowableOfType(ExecutionException.class)
          .withCauseInstanceOf(RetriableException.class);
    }
    assertThat(run).hasSize(1);
  }

  /** A client that repeats a call got no reply, or one that has it try again. */
  @Test
  void aRepetitionRuns() throws Exception {
    ForwardedCall call = call("alice");
    answer(direct(call));
    answer(forwarded(call, 1));
    answer(direct(forwarded(call, 0)));
    assertThat(run).as("the two repetitions are copies of each other").hasSize(2);
  }

  @Test
  void anotherUserWithTheSameIdsGetsAnAnswerOfHisOwn() throws Exception {
    answer(direct(call("alice")));
    answer(direct(call("bob")));
    assertThat(run).hasSize(2);
  }

  @Test
  void theLastCallsAreRemembered() throws Exception {
    answer(direct(call("0")));
    for (int i = 1; i <= MOST; i++) {
      answer(direct(call(Integer.toString(i))));
    }
    answer(direct(call("1")));
    assertThat(run).hasSize(1 + MOST);
    for (int i = 0; i < 2 * MOST; i++) {
      answer(direct(call("other-" + i)));
    }
    answer(direct(call("0")));
    assertThat(run).as("the first is forgotten").hasSize(2 + 3 * MOST);
  }

  /** The audit log has one line, as where those that stand by refuse. */
  @Test
  void theFirstAloneIsTold() throws Exception {
    List<String> told = new ArrayList<>();
    CallListener.Provider listeners =
        (name, method) -> (call, reply, failure) -> told.add(call.user().getUserName());
    LocalCalls calls = new LocalCalls(protocol, HedgedCalls.once(listeners));
    for (int copy = 0; copy < 3; copy++) {
      calls.run(forwarded(call("alice"), 0));
    }
    run.get(0).complete(ClientCall.MKDIRS_REPLY);
    calls.run(forwarded(call("bob"), 0));
    run.get(1).complete(ClientCall.MKDIRS_REPLY);
    assertThat(told).containsExactly("alice", "bob");
  }

  /** WebHDFS's and those of the NameNode itself. */
  @Test
  void callsWithoutAnIdAllRun() throws Exception {
    for (int i = 0; i < 2; i++) {
      new LocalCalls(protocol, CallListener.Provider.NONE)
          .call(call("alice").user(), call("alice").clientAddress(), "mkdirs", ClientCall.MKDIRS);
    }
    assertThat(run).hasSize(2);
  }
}
