package io.acaciafs.rpc;

import static io.acaciafs.rpc.testkit.RawClient.concat;
import static io.acaciafs.rpc.testkit.RawClient.preamble;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.FairnessOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that do not complete requests or do not read replies, beside an ordinary client. */
@Timeout(60)
class GreedyClientsTest {
  private static final int MIB = 1 << 20;
  private static final int MEMORY_BYTES = 16 * MIB;

  private final TestService service = new TestService();
  private final AtomicLong nanos = new AtomicLong();
  private final List<RawClient> greedy = new ArrayList<>();
  private RpcServer server;

  @AfterEach
  void stop() throws IOException {
    for (RawClient client : greedy) {
      client.close();
    }
    server.close();
  }

  private void start(RpcServerOptions.Builder options) throws IOException {
    server =
        RpcServer.start(
            options.ioThreads(1).connectionMemoryBytes(MEMORY_BYTES).build(),
            List.of(service.protocol()),
            CallListener.Provider.NONE,
            nanos::get);
  }

  private RawClient open(byte[] begin) throws IOException {
    RawClient client = new RawClient(server);
    greedy.add(client);
    client.send(begin);
    return client;
  }

  private RawClient connected() throws IOException {
    RawClient client = RawClient.connected(server);
    greedy.add(client);
    return client;
  }

  private static byte[] lengthOf(int bytes) {
    return ByteBuffer.allocate(Integer.BYTES).putInt(bytes).array();
  }

  @Test
  void requestsBeforeTheUserIsKnownAreLimited() throws IOException {
    start(RpcServerOptions.builder());
    assertThat(open(concat(preamble(9, 0), lengthOf(31 * MIB))).isClosed()).isTrue();
    assertThat(open(concat(preamble(9, 0), lengthOf(8 * 1024 + 1))).isClosed()).isTrue();
    RawClient longNamed = open(preamble(9, 0));
    longNamed.send(
        concat(
            RawClient.frame(
                RawClient.header(RawClient.CONTEXT), RawClient.context("a".repeat(4000))),
            RawClient.ask(1, "served")));
    assertThat(longNamed.read().header().getCallId()).isEqualTo(1);
  }

  @Test
  void incompleteRequestsShareAMemoryBudget() throws IOException {
    start(RpcServerOptions.builder());
    byte[] most = concat(lengthOf(4 * MIB), new byte[3 * MIB]);
    for (int i = 0; i < 40; i++) {
      nanos.addAndGet(1_000_000);
      RawClient client = connected();
      client.send(most);
      if (i % 8 == 7) {
        try (TestClient other = new TestClient(server)) {
          assertThat(other.ask("length " + "x".repeat(2 * MIB))).isEqualTo("" + 2 * MIB);
        }
      }
      assertThat(server.heldBytes()).isLessThanOrEqualTo(MEMORY_BYTES);
    }
    RpcResponseHeaderProto told = greedy.get(0).read().header();
    assertThat(told.getExceptionClassName()).isEqualTo(RetriableException.class.getName());
    assertThat(told.getErrorMsg()).startsWith("Server too busy: incomplete requests");
    for (RawClient client : greedy) {
      client.close();
    }
    Eventually.await("all is free", () -> server.heldBytes() == 0);
  }

  @Test
  void unreadRepliesShareAMemoryBudget() throws Exception {
    start(RpcServerOptions.builder().fairness(new FairnessOptions(false, false, 100, 1000, 1)));
    int calls = 20;
    byte[][] requests = new byte[calls][];
    Arrays.setAll(requests, i -> ask(i));
    for (int i = 0; i < 40; i++) {
      nanos.addAndGet(1_000_000);
      connected().send(concat(requests));
      if (i % 8 == 7) {
        try (TestClient other = new TestClient(server)) {
          assertThat(other.ask("large " + 2 * MIB)).hasSize(2 * MIB);
        }
      }
      assertThat(server.heldBytes()).isLessThanOrEqualTo(MEMORY_BYTES + 2 * MIB);
    }
    Eventually.await("some gone", () -> server.metrics().snapshot().connections().open() < 20);
  }

  private static byte[] ask(int callId) {
    try {
      return RawClient.ask(callId, "large " + (MIB - 100));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void connectionsThatMakeNoProgressAreClosed() throws Exception {
    start(RpcServerOptions.builder().idleTimeoutMs(20_000));
    RawClient half = connected();
    half.send(concat(RawClient.ask(1, "served"), lengthOf(1000), new byte[10]));
    half.read();
    RawClient pinging = open(preamble(9, 0));
    RawClient idle = connected();
    idle.send(RawClient.ask(1, "served"));
    idle.read();
    Eventually.await("all three", () -> server.metrics().snapshot().connections().open() == 3);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(19));
    server.closeIdle();
    pinging.send(RawClient.frame(RawClient.header(-4)));
    Eventually.await("the ping", () -> server.metrics().snapshot().pings() == 1);
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(2));
    server.closeIdle();
    assertThat(half.isClosed()).isTrue();
    assertThat(pinging.isClosed()).isTrue();
    idle.send(RawClient.ask(2, "served"));
    assertThat(idle.read().header().getCallId()).isEqualTo(2);
  }

  @Test
  void aConnectionWithUnreadRepliesIsClosed() throws Exception {
    start(RpcServerOptions.builder().idleTimeoutMs(20_000));
    RawClient silent = connected();
    RawClient slow = connected();
    byte[][] requests = new byte[20][];
    Arrays.setAll(requests, i -> ask(i));
    for (RawClient each : List.of(silent, slow)) {
      each.send(concat(requests));
    }
    Eventually.await("unsent replies", () -> server.heldBytes() > MIB);
    server.closeIdle();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(100));
    for (int i = 0; i < requests.length / 2; i++) {
      assertThat(slow.read().header().getCallId()).isEqualTo(i);
    }
    server.closeIdle();
    nanos.addAndGet(TimeUnit.SECONDS.toNanos(21));
    server.closeIdle();
    Eventually.await("one left", () -> server.metrics().snapshot().connections().open() == 1);
    for (int i = requests.length / 2; i < requests.length; i++) {
      assertThat(slow.read().header().getCallId()).isEqualTo(i);
    }
  }

  @Test
  void oneConnectionDoesNotBlockOthersOfItsThread() throws Exception {
    start(RpcServerOptions.builder());
    int calls = 300;
    byte[][] requests = new byte[calls][];
    for (int i = 0; i < calls; i++) {
      requests[i] = RawClient.ask(i, "sleep 5");
    }
    try (TestClient other = new TestClient(server)) {
      other.ask("connected");
      RawClient busy = connected();
      busy.send(concat(requests));
      busy.read();
      for (int i = 0; i < 5; i++) {
        other.ask("in between");
      }
      assertThat(service.calls).hasSizeLessThan(calls / 2);
      for (int i = 1; i < calls; i++) {
        assertThat(busy.read().header().getCallId()).isEqualTo(i);
      }
    }
  }
}
