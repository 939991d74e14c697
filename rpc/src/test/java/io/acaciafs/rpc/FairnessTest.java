package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.rpc.limit.UserLoad;
import io.acaciafs.rpc.options.FairnessOptions;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Separate threads serve users whose calls cost much, while there are other users. */
@Timeout(60)
class FairnessTest {
  private static final String ORDINARY = "rpc-io-\\d+";
  private static final String ISOLATED = "rpc-io-isolated-\\d+";
  private static final String SERVICE = "rpc-io-service-\\d+";
  private static final int CALLS = 2000;

  /** A test with both transports. */
  @Retention(RetentionPolicy.RUNTIME)
  @ParameterizedTest
  @EnumSource(
      value = Transport.Kind.class,
      names = {"AUTO", "NIO"})
  private @interface WithEitherTransport {}

  private final AtomicLong nanos = new AtomicLong();
  private final CompletableFuture<Void> release = new CompletableFuture<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private boolean byContext;
  private Set<String> serviceProtocols = Set.of();
  private RpcServer server;

  @AfterEach
  void stop() {
    server.close();
    threads.shutdownNow();
  }

  @WithEitherTransport
  void aCostlyUserIsIsolatedUntilItsCostFalls(Transport.Kind transport) throws IOException {
    start(transport);
    try (TestClient alice = client("alice");
        TestClient mallory = client("mallory")) {
      assertThat(alice.ask("cost 1")).matches(ORDINARY);
      assertThat(mallory.ask("cost 60")).matches(ORDINARY);
      assertThat(mallory.ask("cost 60")).matches(ORDINARY);
      assertThat(mallory.ask("cost 60")).matches(ISOLATED);
      assertThat(alice.ask("cost 1")).matches(ORDINARY);
      UserLoad costly = server.userLoads().get(0);
      assertThat(costly.user()).isEqualTo("mallory");
      assertThat(costly.isolated()).isTrue();
      assertThat(costly.recentNanos()).isBetween(ms(180), ms(190)); // all users share the clock
      String thread = "";
      for (int i = 0; i < 50 && !thread.matches(ORDINARY); i++) {
        alice.ask("cost 20000"); // also charged to mallory if its last reply is still being written
        thread = mallory.ask("cost 1");
      }
      assertThat(thread).matches(ORDINARY);
    }
  }

  @WithEitherTransport
  void aServerOfTheClusterHasThreadsOfItsOwnWhateverItCosts(Transport.Kind transport)
      throws IOException {
    serviceProtocols = Set.of(TestService.NAME);
    start(transport);
    try (TestClient alice = client("alice");
        TestClient datanode = client("datanode")) {
      assertThat(datanode.ask("cost 500")).matches(SERVICE);
      assertThat(alice.ask("cost 1")).matches(SERVICE);
      assertThat(datanode.ask("cost 500")).matches(SERVICE);
      assertThat(datanode.ask("cost 1")).matches(SERVICE);
    }
  }

  @WithEitherTransport
  void aLoneUserIsNeverIsolated(Transport.Kind transport) throws IOException {
    start(transport);
    try (TestClient mallory = client("mallory")) {
      for (int i = 0; i < 10; i++) {
        assertThat(mallory.ask("cost 500")).matches(ORDINARY);
      }
      try (TestClient alice = client("alice")) {
        alice.ask("cost 1");
        mallory.ask("cost 30");
        assertThat(mallory.ask("cost 1")).matches(ISOLATED);
      }
    }
  }

  @WithEitherTransport
  void aBusyUserIsNotIsolatedWithAFarCostlierOne(Transport.Kind transport) throws IOException {
    start(transport);
    try (TestClient alice = client("alice");
        TestClient mallory = client("mallory")) {
      alice.ask("cost 1");
      mallory.ask("cost 400");
      assertThat(mallory.ask("cost 1")).matches(ISOLATED);
      alice.ask("cost 150");
      assertThat(alice.ask("cost 1")).matches(ORDINARY);
      // In all more than three quarters of mallory's, whose last reply may have been on its way for
      // 150 ms as the clock goes.
      alice.ask("cost 400");
      assertThat(alice.ask("cost 1")).matches(ISOLATED);
      assertThat(mallory.ask("cost 1")).matches(ISOLATED);
      mallory.ask("cost 500");
      assertThat(alice.ask("cost 1")).matches(ISOLATED); // the connection moves after this reply
      assertThat(alice.ask("cost 1")).matches(ORDINARY);
    }
  }

  @WithEitherTransport
  void anIsolatedUserStaysIsolatedWhileAlone(Transport.Kind transport) throws IOException {
    start(transport);
    try (TestClient alice = client("alice");
        TestClient mallory = client("mallory")) {
      alice.ask("cost 1");
      mallory.ask("cost 300");
      assertThat(mallory.ask("cost 1")).matches(ISOLATED);
      for (int i = 0; i < 20; i++) { // more than a second after alice has called
        assertThat(mallory.ask("cost 100")).matches(ISOLATED);
      }
    }
  }

  @WithEitherTransport
  void callerContextsHaveAccountsIfConfigured(Transport.Kind transport) throws IOException {
    byContext = true;
    start(transport);
    try (TestClient query = client("hive");
        TestClient badQuery = client("hive")) {
      assertThat(inContext("query_1", query, "cost 1")).matches(ORDINARY);
      inContext("query_2", badQuery, "cost 200");
      assertThat(inContext("query_2", badQuery, "cost 1")).matches(ISOLATED);
      assertThat(inContext("query_3", badQuery, "cost 1"))
          .as("the same connection")
          .matches(ISOLATED);
      assertThat(inContext("query_1", query, "cost 1")).matches(ORDINARY);
      assertThat(server.userLoads().get(0).user()).isEqualTo("hive query_2");
    }
  }

  @WithEitherTransport
  void callerContextsShareTheUsersAccountByDefault(Transport.Kind transport) throws IOException {
    start(transport);
    try (TestClient query = client("hive");
        TestClient badQuery = client("hive");
        TestClient other = client("alice")) {
      other.ask("cost 1");
      inContext("query_1", query, "cost 1");
      inContext("query_2", badQuery, "cost 200");
      inContext("query_1", query, "cost 1");
      assertThat(inContext("query_1", query, "cost 1")).matches(ISOLATED);
    }
  }

  @WithEitherTransport
  void unreadRepliesMoveWithTheirConnection(Transport.Kind transport) throws Exception {
    start(transport);
    int calls = 30;
    try (TestClient alice = client("alice");
        RawClient mallory = RawClient.connected(server, "mallory")) {
      alice.ask("cost 1");
      byte[][] requests = new byte[calls][];
      for (int i = 0; i < calls; i++) {
        requests[i] = RawClient.ask(i, "cost 150 " + (1 << 20));
      }
      mallory.send(RawClient.concat(requests));
      Eventually.await(
          "moved, unread", () -> server.metrics().snapshot().connections().moved() == 1);
      assertThat(alice.ask("cost 1")).matches(ORDINARY);
      try (RawClient again = RawClient.connected(server, "mallory")) {
        again.send(RawClient.ask(1, "cost 1"));
        assertThat(again.readTarget()).matches(ISOLATED);
      }
      for (int i = 0; i < calls; i++) {
        assertThat(mallory.readTarget()).hasSize(1 << 20);
      }
      mallory.send(RawClient.ask(1, "cost 1"));
      assertThat(mallory.readTarget()).matches(ISOLATED + "|" + ORDINARY);
    }
  }

  private static String inContext(String context, TestClient client, String path)
      throws IOException {
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try {
      return client.ask(path);
    } finally {
      CallerContext.setCurrent(null);
    }
  }

  @WithEitherTransport
  void aConnectionMovesWhenItsCallsInFlightHaveEnded(Transport.Kind transport) throws Exception {
    start(transport);
    try (TestClient alice = client("alice");
        TestClient mallory = client("mallory")) {
      alice.ask("cost 1");
      Future<String> pending = threads.submit(() -> mallory.askAsync("/later", "s1"));
      mallory.ask("cost 200");
      Future<String> next = threads.submit(() -> mallory.ask("cost 1"));
      release.complete(null);
      assertThat(pending.get(60, TimeUnit.SECONDS)).isEqualTo("s1");
      assertThat(next.get(60, TimeUnit.SECONDS)).matches(ISOLATED + "|" + ORDINARY);
      assertThat(mallory.ask("cost 1")).matches(ISOLATED);
    }
  }

  @WithEitherTransport
  void noCallIsLostWhileConnectionsMove(Transport.Kind transport) throws Exception {
    release.complete(null);
    start(transport);
    List<Future<Integer>> clients = new ArrayList<>();
    for (int user = 0; user < 4; user++) {
      String name = "user-" + user;
      TestClient client = client(name);
      for (int thread = 0; thread < 4; thread++) {
        clients.add(threads.submit(() -> calls(client, name)));
      }
    }
    for (Future<Integer> client : clients) {
      assertThat(client.get(40, TimeUnit.SECONDS)).isEqualTo(CALLS);
    }
    assertThat(server.metrics().snapshot().connections().moved()).isGreaterThan(10);
  }

  private int calls(TestClient client, String name) throws IOException {
    int right = 0;
    for (int i = 0; i < CALLS; i++) {
      if (i % 3 == 0) {
        right += client.askAsync("/later", name + i).equals(name + i) ? 1 : 0;
      } else {
        right += client.ask("cost " + (i % 100 < 10 ? 20 : 0)).startsWith("rpc-io") ? 1 : 0;
      }
      if (i % 100 == 50) {
        nanos.addAndGet(ms(5000)); // all costs have decayed
      }
    }
    return right;
  }

  private void start(Transport.Kind transport) throws IOException {
    RpcProtocol protocol =
        RpcProtocol.builder(
                TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
            .method("getLinkTarget", GetLinkTargetRequestProto.class, this::cost)
            .asyncMethod("createSnapshot", CreateSnapshotRequestProto.class, this::later)
            .build();
    server =
        RpcServer.start(
            RpcServerOptions.builder()
                .transport(transport)
                .serviceProtocols(serviceProtocols)
                .ioThreads(1) // so that one call is charged before the next moves the clock
                .fairness(new FairnessOptions(true, byContext, 100, 1000, 1))
                .build(),
            List.of(protocol),
            CallListener.Provider.NONE,
            nanos::get);
  }

  private TestClient client(String user) throws IOException {
    return new TestClient(
        server.address(), new Configuration(), UserGroupInformation.createRemoteUser(user));
  }

  /**
   * Takes the given milliseconds, and answers with the thread's name or with text of a given
   * length.
   */
  private GetLinkTargetResponseProto cost(RpcCall call, GetLinkTargetRequestProto request) {
    String[] words = request.getPath().split(" ");
    nanos.addAndGet(ms(Integer.parseInt(words[1])));
    String target =
        words.length == 2
            ? Thread.currentThread().getName()
            : "x".repeat(Integer.parseInt(words[2]));
    return GetLinkTargetResponseProto.newBuilder().setTargetPath(target).build();
  }

  private CompletableFuture<CreateSnapshotResponseProto> later(
      RpcCall call, CreateSnapshotRequestProto request) {
    return release.thenApplyAsync(
        nothing ->
            CreateSnapshotResponseProto.newBuilder()
                .setSnapshotPath(request.getSnapshotName())
                .build(),
        threads);
  }

  private static long ms(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }
}
