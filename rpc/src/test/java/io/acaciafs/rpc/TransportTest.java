package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TransportTest {

  @ParameterizedTest
  @EnumSource
  void answersClients(Transport.Kind kind) throws Exception {
    assumeTrue(kind.isAvailable());
    Configuration conf = new Configuration(false);
    conf.set("acacia.rpc.transport", kind.toString());
    try (RpcServer server = new TestService().start(RpcServerOptions.from(conf));
        TestClient client = new TestClient(server)) {
      assertThat(client.ask("large 5000000")).hasSize(5_000_000);
      assertThat(client.askAsync("/now", "name")).isEqualTo("name");
    }
  }

  @ParameterizedTest
  @EnumSource(names = "AUTO", mode = EnumSource.Mode.EXCLUDE)
  void isTheOneThatWasAskedFor(Transport.Kind kind) {
    assumeTrue(kind.isAvailable());
    assertThat(Transport.of(kind).name()).isEqualTo(kind.toString());
  }

  @Test
  void saysWhatThereIsToChooseFrom() {
    Configuration conf = new Configuration(false);
    conf.set("acacia.rpc.transport", "carrier-pigeon");
    assertThatThrownBy(() -> RpcServerOptions.from(conf))
        .hasMessage("No transport carrier-pigeon, but one of [auto, io_uring, epoll, nio]");
  }
}
