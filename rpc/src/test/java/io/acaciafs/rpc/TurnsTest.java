package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.options.FairnessOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Connections with many long calls take turns, between which others are served. */
@Timeout(60)
class TurnsTest {
  private static final int CONNECTIONS = 30;
  private static final int CALLS = 20;
  private static final int CALLS_A_TURN = 2;
  private static final int SHORT_CALLS = 20;

  /** By then each connection has had turns. */
  private static final int LATE = CONNECTIONS * CALLS / 4 * 3;

  private static final long CALL_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final CountDownLatch allSent = new CountDownLatch(1);
  private final List<RawClient> clients = new ArrayList<>();
  private RpcServer server;

  // for the network thread
  private int longCalls;
  private final List<Integer> longCallsBefore = new CopyOnWriteArrayList<>();
  private volatile Step late;

  private interface Step {
    void run() throws IOException;
  }

  @BeforeEach
  void start() throws IOException {
    RpcProtocol protocol =
        RpcProtocol.builder(
                TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .method("getLinkTarget", GetLinkTargetRequestProto.class, this::answer)
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder()
                .ioThreads(1)
                .fairness(new FairnessOptions(false, false, 100, 1000, 1))
                .build(),
            List.of(protocol));
  }

  @AfterEach
  void stop() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    server.close();
  }

  private GetLinkTargetResponseProto answer(RpcCall call, GetLinkTargetRequestProto request)
      throws Exception {
    switch (request.getPath()) {
      case "wait" -> assertThat(allSent.await(30, TimeUnit.SECONDS)).isTrue();
      case "short" -> longCallsBefore.add(longCalls);
      default -> {
        longCalls++;
        keepBusy();
        if (longCalls == LATE) {
          late.run();
        }
      }
    }
    return GetLinkTargetResponseProto.newBuilder().setTargetPath("done").build();
  }

  /** Turns end by the real time. */
  private static void keepBusy() {
    long end = System.nanoTime() + CALL_NANOS;
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  private RawClient client(String user) throws IOException {
    RawClient client = RawClient.connected(server, user);
    clients.add(client);
    return client;
  }

  /** The long calls begin when all of them have been sent. */
  private List<RawClient> begin() throws IOException {
    RawClient gate = client("gate");
    gate.send(RawClient.ask(0, "wait"));
    List<RawClient> busy = new ArrayList<>();
    for (int i = 0; i < CONNECTIONS; i++) {
      RawClient client = client("busy-" + i);
      busy.add(client);
      for (int call = 0; call < CALLS; call++) {
        client.send(RawClient.ask(call, "long"));
      }
    }
    allSent.countDown();
    return busy;
  }

  private void awaitAll(List<RawClient> busy) throws IOException {
    for (RawClient client : busy) {
      for (int call = 0; call < CALLS; call++) {
        client.read();
      }
    }
    assertThat(longCalls).isEqualTo(CONNECTIONS * CALLS);
  }

  @Test
  void aShortCallWaitsForOneTurnHoweverManyHaveLongOnes() throws Exception {
    RawClient alice = client("alice");
    for (int i = 0; i < SHORT_CALLS; i++) { // the first one loads classes
      alice.send(RawClient.ask(i, "short"));
      alice.read();
    }
    late = () -> alice.send(RawClient.ask(SHORT_CALLS, "short"));
    List<RawClient> busy = begin();
    alice.read();
    assertThat(longCallsBefore.get(SHORT_CALLS) - LATE).isBetween(0, CALLS_A_TURN);
    awaitAll(busy);
  }

  @Test
  void aNewConnectionDoesNotWaitForAllThatHaveLongOnes() throws Exception {
    List<RawClient> newcomer = new ArrayList<>();
    CountDownLatch connected = new CountDownLatch(1);
    late =
        () -> {
          RawClient alice = client("alice");
          alice.send(RawClient.ask(1, "short"));
          newcomer.add(alice);
          connected.countDown();
        };
    List<RawClient> busy = begin();
    assertThat(connected.await(30, TimeUnit.SECONDS)).isTrue();
    newcomer.get(0).read();
    assertThat(longCallsBefore.get(0) - LATE).isBetween(0, 4 * CALLS_A_TURN);
    awaitAll(busy);
  }
}
