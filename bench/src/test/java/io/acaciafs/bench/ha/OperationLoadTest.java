package io.acaciafs.bench.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.client.Shape;
import io.acaciafs.bench.echo.EchoServer;
import io.acaciafs.bench.workload.Operation;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class OperationLoadTest {
  private static final Shape SHAPE = new Shape(3, 1);

  private static EchoServer server() throws IOException {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    return EchoServer.start(any, 1, 1);
  }

  @Test
  @Timeout(60)
  void goesOnAtAnotherNameNodeWhenItsOwnIsGone() throws Exception {
    EchoServer gone = server();
    try (EchoServer other = server()) {
      AtomicReference<InetSocketAddress> serves = new AtomicReference<>(gone.address());
      try (OperationLoad load = new OperationLoad(serves::get, Operation.CREATE_DELETE, SHAPE)) {
        load.awaitMore(10);
        serves.set(other.address());
        gone.close();
        load.awaitMore(10);
        assertThat(load.refused()).containsExactly("ConnectionClosed");
      }
    }
  }

  @Test
  @Timeout(60)
  void endsAtOnce() throws Exception {
    try (EchoServer server = server()) {
      OperationLoad load = new OperationLoad(server::address, Operation.CREATE, SHAPE);
      load.awaitMore(10);
      long begin = System.nanoTime();
      load.close();
      assertThat(System.nanoTime() - begin).isLessThan(TimeUnit.SECONDS.toNanos(15));
      assertThat(load.refused()).isEmpty();
    }
  }
}
