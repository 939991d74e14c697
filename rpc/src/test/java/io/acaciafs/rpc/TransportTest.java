package io.acaciafs.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.options.Transport;
import io.acaciafs.rpc.testkit.TestClient;
import io.acaciafs.rpc.testkit.TestService;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server answers over each transport that this machine has. */
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
}
