package io.acaciafs.bench.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.bench.echo.EchoServer;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadGeneratorTest {
  private static final Shape SHAPE = new Shape(3, 4);
  private static final Watcher NOBODY = (fraction, operationsPerSecond) -> {};
  private static final Meter NOTHING =
      new Meter() {
        @Override
        public void start() {}

        @Override
        public void stop() {}
      };

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private static LoadGenerator connect(InetSocketAddress server, int threads) throws IOException {
    return LoadGenerator.connect(server, SHAPE, threads, "user", new SplittableRandom(1));
  }

  private static Recording run(LoadGenerator generator, Method method, int calls)
      throws IOException {
    return generator.run(slot -> new Calls(method, calls), Span.whole(), NOTHING, NOBODY);
  }

  /** So many calls about one path. */
  private static final class Calls implements CallSource {
    private final PathBuffer path =
        new PathBuffer().set("/path".getBytes(StandardCharsets.US_ASCII));
    private final Method method;
    private int rest;

    Calls(Method method, int count) {
      this.method = method;
      rest = count;
    }

    @Override
    public Step next(Slot slot) {
      if (rest == 0) {
        return Step.END;
      }
      rest--;
      slot.call(method, path);
      return Step.CALL;
    }
  }

  @Test
  void countsEveryOperationOfEverySlot() throws Exception {
    try (EchoServer server = EchoServer.start(anyPort(), 100, 1);
        LoadGenerator generator = connect(server.address(), 2)) {
      for (int run = 0; run < 3; run++) {
        Recording recording = run(generator, Method.GET_FILE_INFO, 1000);
        assertThat(recording.latencies().getTotalCount()).isEqualTo(12_000);
        assertThat(recording.failures()).isEmpty();
      }
    }
  }

  @Test
  void repliesThatComeInPiecesAreWhole() throws Exception {
    try (EchoServer server = EchoServer.start(anyPort(), 1_000_000, 1);
        LoadGenerator generator = connect(server.address(), 1)) {
      Recording recording = run(generator, Method.GET_LISTING, 10);
      assertThat(recording.latencies().getTotalCount()).isEqualTo(120);
      assertThat(recording.failures()).isEmpty();
    }
  }

  @Test
  void timedRunEndsThoughItsCallsHaveNoEnd() throws Exception {
    try (EchoServer server = EchoServer.start(anyPort(), 1, 1);
        LoadGenerator generator = connect(server.address(), 1)) {
      Span span = new Span(Duration.ofMillis(20), Duration.ofMillis(50));
      Recording recording =
          generator.run(slot -> new Calls(Method.MKDIRS, Integer.MAX_VALUE), span, NOTHING, NOBODY);
      assertThat(recording.latencies().getTotalCount()).isPositive();
      assertThat(recording.failures()).isEmpty();
    }
  }

  @Test
  void operationOfTwoCallsCountsOnce() throws Exception {
    AtomicInteger replies = new AtomicInteger();
    try (EchoServer server = EchoServer.start(anyPort(), 1, 1);
        LoadGenerator generator = connect(server.address(), 1)) {
      Recording recording =
          generator.run(
              slot ->
                  new CallSource() {
                    private final Calls calls = new Calls(Method.CREATE, 10);
                    private boolean first;

                    @Override
                    public Step next(Slot place) {
                      return calls.next(place);
                    }

                    @Override
                    public boolean answered(Slot place, ByteBuf in, int lengthBytes) {
                      replies.incrementAndGet();
                      first = !first;
                      return !first;
                    }
                  },
              Span.whole(),
              NOTHING,
              NOBODY);
      assertThat(recording.latencies().getTotalCount()).isEqualTo(60);
      assertThat(replies).hasValue(120);
    }
  }

  @Test
  void exceptionsOfTheServerAreCountedByClass() throws Exception {
    RpcServerOptions options = RpcServerOptions.builder().bindAddress(anyPort()).build();
    try (RpcServer server = RpcServer.start(options, List.of());
        LoadGenerator generator = connect(server.address(), 1)) {
      Recording recording = run(generator, Method.GET_FILE_INFO, 5);
      assertThat(recording.latencies().getTotalCount()).isZero();
      assertThat(recording.failures()).hasSize(1);
      assertThat(recording.failures().firstKey()).contains("RpcNoSuchProtocolException");
      assertThat(recording.failures().values()).extracting(Failure::count).containsExactly(60L);
    }
  }

  @Test
  void closedConnectionsAreFailures() throws Exception {
    try (NoServer server = new NoServer();
        LoadGenerator generator = connect(server.address(), 1)) {
      server.closeConnections(SHAPE.connections());
      Recording recording = run(generator, Method.GET_FILE_INFO, 5);
      assertThat(recording.failures()).containsOnlyKeys("ConnectionClosed");
    }
  }

  @Test
  void missingServerIsSaid() throws Exception {
    InetSocketAddress nobody;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      nobody = (InetSocketAddress) socket.getLocalSocketAddress();
    }
    assertThatThrownBy(() -> connect(nobody, 1))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("No NameNode answers at");
  }

  @Test
  void closedGeneratorLeavesNoConnections() throws Exception {
    try (NoServer server = new NoServer()) {
      LoadGenerator generator = connect(server.address(), 1);
      List<Socket> connections = server.accept(SHAPE.connections());
      run(generator, Method.GET_FILE_INFO, 0);
      generator.close();
      for (Socket connection : connections) {
        connection.setSoTimeout(10_000);
        connection.getInputStream().readAllBytes(); // up to its end
        connection.close();
      }
    }
  }

  /** Takes connections, and closes them. */
  private static final class NoServer implements AutoCloseable {
    private final ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());

    NoServer() throws IOException {}

    InetSocketAddress address() {
      return (InetSocketAddress) socket.getLocalSocketAddress();
    }

    void closeConnections(int count) throws IOException {
      for (Socket connection : accept(count)) {
        try (connection) {
          connection.shutdownOutput();
        }
      }
    }

    List<Socket> accept(int count) throws IOException {
      List<Socket> connections = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        connections.add(socket.accept());
      }
      return connections;
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
