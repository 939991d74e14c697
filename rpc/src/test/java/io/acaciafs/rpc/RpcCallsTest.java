package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.FsyncRequestProto;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.thirdparty.protobuf.ServiceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Calls of Hadoop's own client, and their replies. */
@Timeout(30)
class RpcCallsTest {
  private final TestService service = new TestService();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private RpcServer server;
  private TestClient client;

  @BeforeEach
  void start() throws IOException {
    server =
        service.start(
            RpcServerOptions.builder()
                .terseExceptions(Set.of(FileNotFoundException.class))
                .build());
    client = new TestClient(server);
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
    threads.shutdownNow();
  }

  @Test
  void callsAreAnsweredOnNetworkThreadsByFuturesAndByWorkers() throws IOException {
    service.permits.release();
    assertThat(client.ask("thread")).matches("rpc-io-\\d+");
    assertThat(client.askAsync("/now", "s1")).isEqualTo("s1");
    assertThat(client.askWorker()).matches("rpc-worker-\\d+");
  }

  @Test
  void manyThreadsShareOneConnection() throws Exception {
    List<Future<Set<String>>> results = new ArrayList<>();
    for (int t = 0; t < 16; t++) {
      int thread = t;
      results.add(
          threads.submit(
              () -> {
                Set<String> wrong = new HashSet<>();
                for (int i = 0; i < 500; i++) {
                  String name = thread + "-" + i;
                  String reply = i % 2 == 0 ? client.ask(name) : client.askAsync("/now", name);
                  if (!reply.equals(name)) {
                    wrong.add(name);
                  }
                }
                return wrong;
              }));
    }
    for (Future<Set<String>> result : results) {
      assertThat(result.get()).isEmpty();
    }
    RpcMetrics.Snapshot metrics = server.metrics().snapshot();
    assertThat(metrics.connections().opened()).isEqualTo(1);
    assertThat(metrics.methods().get(TestService.NAME + ".getLinkTarget").count())
        .isEqualTo(16 * 250);
  }

  @Test
  void repliesMayOvertakeEachOther() throws Exception {
    Future<String> first = async("first");
    TestService.Pending firstPending = service.pending.poll(60, TimeUnit.SECONDS);
    Future<String> second = async("second");
    TestService.Pending secondPending = service.pending.poll(60, TimeUnit.SECONDS);
    assertThat(client.ask("third")).isEqualTo("third");
    secondPending.answer();
    assertThat(second.get(60, TimeUnit.SECONDS)).isEqualTo("second");
    assertThat(first.isDone()).isFalse();
    firstPending.answer();
    assertThat(first.get(60, TimeUnit.SECONDS)).isEqualTo("first");
  }

  @Test
  void largeRequestsAndRepliesArrive() throws IOException {
    int length = 40 << 20;
    assertThat(client.ask("large " + length)).hasSize(length);
    assertThat(client.ask("length " + "y".repeat(length))).isEqualTo(String.valueOf(length));
  }

  @Test
  void anExceptionArrivesWithClassTextAndStack() {
    RemoteException e = failure(() -> client.ask("ioe no luck"));
    assertThat(e.getClassName()).isEqualTo(IOException.class.getName());
    assertThat(e.getMessage()).startsWith("no luck\n\tat " + TestService.class.getName());
    assertThat(e.unwrapRemoteException()).isExactlyInstanceOf(IOException.class);
  }

  @Test
  void aTerseExceptionArrivesWithoutStack() {
    RemoteException e = failure(() -> client.ask("missing /a/b"));
    assertThat(e.unwrapRemoteException())
        .isExactlyInstanceOf(FileNotFoundException.class)
        .hasMessage("/a/b");
  }

  @Test
  void aBugOfAMethodFailsOnlyItsCall() throws IOException {
    RemoteException e = failure(() -> client.ask("bug oops"));
    assertThat(e.getClassName()).isEqualTo(IllegalStateException.class.getName());
    e = failure(() -> client.ask("null"));
    assertThat(e.getMessage()).startsWith("getLinkTarget returned nothing");
    assertThat(client.ask("still here")).isEqualTo("still here");
    RpcMetrics.Snapshot metrics = server.metrics().snapshot();
    assertThat(metrics.methods().get(TestService.NAME + ".getLinkTarget").failures()).isEqualTo(2);
    assertThat(metrics.connections().opened()).isEqualTo(1);
  }

  @Test
  void aFailedFutureArrivesAsItsCause() throws Exception {
    Future<String> call = async("doomed");
    service
        .pending
        .poll(60, TimeUnit.SECONDS)
        .reply()
        .completeExceptionally(new FileNotFoundException("/gone"));
    assertThatThrownBy(() -> call.get(60, TimeUnit.SECONDS))
        .cause()
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> {
              assertThat(e.getClassName()).isEqualTo(FileNotFoundException.class.getName());
              assertThat(e.getMessage()).isEqualTo("/gone");
            });
  }

  @Test
  void refusesAProtocolVersionThatIsGivenTwice() {
    assertThatThrownBy(
            () ->
                RpcServer.start(
                    RpcServerOptions.builder().build(),
                    List.of(service.protocol(), service.protocol())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("served twice");
  }

  @Test
  void aMethodWithoutAnAnswerIsRefusedByName() {
    assertThatThrownBy(
            () ->
                client
                    .proxy()
                    .fsync(
                        null, FsyncRequestProto.newBuilder().setSrc("/a").setClient("c").build()))
        .isInstanceOf(ServiceException.class)
        .cause()
        .isInstanceOfSatisfying(
            RemoteException.class,
            e -> {
              assertThat(e.getClassName()).isEqualTo(UnsupportedOperationException.class.getName());
              assertThat(e.getMessage()).startsWith("fsync is not supported");
            });
  }

  private Future<String> async(String name) {
    return threads.submit(() -> client.askAsync("/later", name));
  }

  private static RemoteException failure(Callable<?> call) {
    try {
      throw new AssertionError("succeeded with " + call.call());
    } catch (RemoteException e) {
      return e;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }
}
