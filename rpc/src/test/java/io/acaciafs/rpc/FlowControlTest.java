package io.acaciafs.rpc;

import static io.acaciafs.rpc.testkit.RawClient.ask;
import static io.acaciafs.rpc.testkit.RawClient.askLater;
import static io.acaciafs.rpc.testkit.RawClient.askWorker;
import static io.acaciafs.rpc.testkit.RawClient.concat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.testkit.Eventually;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The limits of one client, and how a server closes. */
@Timeout(30)
class FlowControlTest {
  private final TestService service = new TestService();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private RpcServer server;

  Transport.Kind transport() {
    return Transport.Kind.AUTO;
  }

  private RpcServerOptions.Builder options() {
    return RpcServerOptions.builder().transport(transport());
  }

  @AfterEach
  void stop() {
    service.permits.release(1000);
    server.close();
    threads.shutdownNow();
  }

  @Test
  void requestsAreNotReadWhileRepliesAreUnread() throws Exception {
    server = service.start(options().ioThreads(1).build());
    int calls = 200;
    try (RawClient slow = RawClient.connected(server);
        TestClient other = new TestClient(server)) {
      byte[][] requests = new byte[calls][];
      for (int i = 0; i < calls; i++) {
        requests[i] = ask(i, "large " + (1 << 20));
      }
      slow.send(concat(requests));
      for (int i = 0; i < 20; i++) {
        other.ask("round trip"); // the only network thread has been everywhere
      }
      assertThat(server.metrics().snapshot().connections().open()).isEqualTo(2);
      assertThat(service.calls.size() - 20).isBetween(1, calls / 4);
      Set<Integer> answered = new HashSet<>();
      for (int i = 0; i < calls; i++) {
        RawClient.Reply reply = slow.read();
        assertThat(reply.rest().size()).isGreaterThan(1 << 20);
        answered.add(reply.header().getCallId());
      }
      assertThat(answered).hasSize(calls);
    }
  }

  @Test
  void callsInFlightOfOneConnectionAreLimited() throws Exception {
    server = service.start(options().ioThreads(1).maxCallsInFlight(4).build());
    try (RawClient greedy = RawClient.connected(server);
        TestClient other = new TestClient(server)) {
      byte[][] requests = new byte[10][];
      for (int i = 0; i < requests.length; i++) {
        requests[i] = askLater(i, "s" + i);
      }
      greedy.send(concat(requests));
      for (int i = 0; i < 20; i++) {
        other.ask("round trip");
      }
      assertThat(service.pending).hasSize(4);
      for (int i = 0; i < requests.length; i++) {
        service.pending.poll(60, TimeUnit.SECONDS).answer();
        assertThat(greedy.read().header().getCallId()).isEqualTo(i);
      }
    }
  }

  @Test
  void aFullWorkerQueueRejectsCalls() throws Exception {
    server = service.start(options().workerThreads(1).workerQueueLimit(1).build());
    try (TestClient client = new TestClient(server)) {
      Future<String> running = threads.submit(client::askWorker);
      assertThat(service.calls.poll(60, TimeUnit.SECONDS)).isNotNull();
      CompletableFuture<String> first = firstOf(client);
      assertThatThrownBy(first::join)
          .cause()
          .isInstanceOfSatisfying(
              RemoteException.class,
              e -> {
                assertThat(e.getClassName()).isEqualTo(RetriableException.class.getName());
                assertThat(e.getMessage()).isEqualTo("Server too busy");
              });
      assertThat(server.metrics().snapshot().callsRejected()).isEqualTo(1);
      assertThat(client.ask("not a worker's")).isEqualTo("not a worker's");
      service.permits.release(2);
      assertThat(running.get(60, TimeUnit.SECONDS)).startsWith("rpc-worker-");
    }
  }

  /** Two calls when there is room for one; the one that ends first. */
  private CompletableFuture<String> firstOf(TestClient client) {
    CompletableFuture<String> first = new CompletableFuture<>();
    for (int i = 0; i < 2; i++) {
      threads.execute(
          () -> {
            try {
              first.complete(client.askWorker());
            } catch (IOException e) {
              first.completeExceptionally(e);
            }
          });
    }
    return first;
  }

  @Test
  void aQueuedCallOfADisconnectedClientIsNotRun() throws Exception {
    server = service.start(options().workerThreads(1).build());
    try (RawClient patient = RawClient.connected(server)) {
      patient.send(askWorker(1));
      assertThat(service.calls.poll(60, TimeUnit.SECONDS)).isNotNull();
      try (RawClient hasty = RawClient.connected(server)) {
        hasty.send(concat(askWorker(2), ask(3, "sent after it")));
        assertThat(hasty.read().header().getCallId()).isEqualTo(3);
        service.calls.remove();
      }
      Eventually.await("hasty gone", () -> server.metrics().snapshot().connections().open() == 1);
      service.permits.release(2);
      assertThat(patient.read().header().getCallId()).isEqualTo(1);
      String method = TestService.NAME + ".getECTopologyResultForPolicies";
      Eventually.await(
          "both ended", () -> server.metrics().snapshot().methods().get(method).count() == 2);
      assertThat(service.calls).isEmpty();
    }
  }

  @Test
  void callsInFlightAreAnsweredBeforeTheServerCloses() throws Exception {
    server = service.start(options().closeGraceMs(20_000).build());
    try (TestClient client = new TestClient(server)) {
      Future<String> byFuture = threads.submit(() -> client.askAsync("/later", "last"));
      Future<String> byWorker = threads.submit(client::askWorker);
      TestService.Pending pending = service.pending.poll(60, TimeUnit.SECONDS);
      Eventually.await("both calls", () -> service.calls.size() == 2);
      Future<?> closing = threads.submit(server::close);
      Eventually.await("no longer listening", () -> !listening());
      assertThat(closing.isDone()).isFalse();
      pending.answer();
      service.permits.release();
      assertThat(byFuture.get(60, TimeUnit.SECONDS)).isEqualTo("last");
      assertThat(byWorker.get(60, TimeUnit.SECONDS)).startsWith("rpc-worker-");
      closing.get(60, TimeUnit.SECONDS);
    }
  }

  private boolean listening() {
    try {
      new RawClient(server).close();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void callsThatDoNotEndAreCutOffAfterTheGracePeriod() throws Exception {
    server = service.start(options().closeGraceMs(50).build());
    try (TestClient client = new TestClient(server)) {
      Future<String> byFuture = threads.submit(() -> client.askAsync("/later", "never"));
      Future<String> byWorker = threads.submit(client::askWorker);
      Eventually.await("both calls", () -> service.calls.size() == 2);
      server.close();
      assertThatThrownBy(() -> byFuture.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IOException.class);
      assertThatThrownBy(() -> byWorker.get(60, TimeUnit.SECONDS))
          .cause()
          .isInstanceOf(IOException.class);
      service.pending.remove().answer(); // too late, and harmless
    }
    Eventually.await(
        "all threads ended",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .noneMatch(name -> name.startsWith("rpc-io-") || name.startsWith("rpc-worker-")));
    assertThat(server.metrics().snapshot().connections().open()).isZero();
  }

  @Test
  void idleConnectionsAreClosedIfUnauthenticatedOrTooMany() throws Exception {
    AtomicLong nanos = new AtomicLong();
    RpcServerOptions options = options().idleTimeoutMs(60_000).idleThreshold(3).build();
    server =
        RpcServer.start(
            options, List.of(service.protocol()), CallListener.Provider.NONE, nanos::get);
    try (RawClient known = RawClient.connected(server);
        RawClient waiting = RawClient.connected(server);
        RawClient stranger = new RawClient(server)) {
      // The stranger says nothing, so that nothing of it can be read after the clock has moved.
      waiting.send(askLater(1, "s"));
      known.send(ask(1, "a"));
      known.read();
      Eventually.await("all three", () -> server.metrics().snapshot().connections().open() == 3);
      Eventually.await("the waiting call", () -> service.pending.size() == 1);
      server.closeIdle();
      nanos.addAndGet(TimeUnit.SECONDS.toNanos(61));
      server.closeIdle();
      assertThat(stranger.isClosed()).isTrue();
      Eventually.await("one gone", () -> server.metrics().snapshot().connections().open() == 2);

      try (RawClient third = RawClient.connected(server);
          RawClient fourth = RawClient.connected(server)) {
        for (RawClient fresh : List.of(third, fourth)) {
          fresh.send(ask(1, "b"));
          fresh.read();
        }
        server.closeIdle();
        assertThat(known.isClosed()).isTrue();
        for (RawClient fresh : List.of(third, fourth)) {
          fresh.send(ask(2, "c"));
          fresh.read();
        }
      }
      service.pending.remove().answer();
      assertThat(waiting.read().header().getCallId()).isEqualTo(1);
    }
  }

  @Test
  void aConnectionAboveTheLimitIsClosed() throws IOException {
    server = service.start(options().maxConnections(1).build());
    try (RawClient first = RawClient.connected(server)) {
      first.send(ask(1, "a"));
      first.read();
      try (RawClient second = new RawClient(server)) {
        assertThat(second.isClosed()).isTrue();
      }
      first.send(ask(2, "b"));
      assertThat(first.read().header().getCallId()).isEqualTo(2);
    }
  }

  @Test
  void anAddressInUseIsRefused() throws IOException {
    server = service.start(options().build());
    RpcServerOptions same = RpcServerOptions.builder().bindAddress(server.address()).build();
    assertThatThrownBy(() -> service.start(same))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(String.valueOf(server.address().getPort()));
  }
}
