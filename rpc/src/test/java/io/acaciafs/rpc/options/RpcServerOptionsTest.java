package io.acaciafs.rpc.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Options come from Hadoop's configuration, and have ranges. */
class RpcServerOptionsTest {

  @Test
  void readsHadoopsConfiguration() {
    Configuration conf = new Configuration(false);
    assertThat(RpcServerOptions.from(conf)).isEqualTo(RpcServerOptions.builder().build());
    conf.setInt("ipc.maximum.data.length", 1234);
    conf.setInt("ipc.client.connection.maxidletime", 7000);
    conf.setInt("acacia.rpc.worker.threads", 3);
    RpcServerOptions options = RpcServerOptions.from(conf);
    assertThat(options.connections().maxFrameBytes()).isEqualTo(1234);
    assertThat(options.connections().idleTimeoutMs()).isEqualTo(14_000);
    assertThat(options.threads().workerThreads()).isEqualTo(3);
    assertThat(options.toBuilder().build()).isEqualTo(options);
  }

  @Test
  void aListenQueueIsNeverTooShortForTheDataNodesBehindARestart() {
    Configuration conf = new Configuration(false);
    conf.setInt("ipc.server.listen.queue.size", 256);
    assertThat(RpcServerOptions.from(conf).listen().backlog()).isEqualTo(4_096);
    conf.setInt("ipc.server.listen.queue.size", 10_000);
    assertThat(RpcServerOptions.from(conf).listen().backlog()).isEqualTo(10_000);
  }

  @Test
  void refusesValuesOutOfRange() {
    assertThatThrownBy(() -> RpcServerOptions.builder().ioThreads(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ioThreads");
    assertThatThrownBy(
            () -> RpcServerOptions.builder().terseExceptions(Set.of()).maxFrameBytes(0).build())
        .hasMessageContaining("maxFrameBytes");
  }

  @Test
  void refusesAnUnknownTransport() {
    Configuration conf = new Configuration(false);
    conf.set("acacia.rpc.transport", "carrier-pigeon");
    assertThatThrownBy(() -> RpcServerOptions.from(conf))
        .hasMessage(
            "acacia.rpc.transport is carrier-pigeon; it must be auto, epoll, nio or io_uring");
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void opensTheTransportThatIsAskedFor(Transport.Kind kind) {
    assumeTrue(kind.isAvailable());
    assertThat(Transport.of(kind).name()).isEqualTo(kind.toString());
  }
}
