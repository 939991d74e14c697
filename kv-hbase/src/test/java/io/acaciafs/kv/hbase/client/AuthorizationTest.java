package io.acaciafs.kv.hbase.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.Stores;
import io.acaciafs.kv.hbase.TestHBase;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An HBase with Kerberos that authorizes nobody would give all tokens' keys to every user. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class AuthorizationTest {
  private final HBaseOptions options;

  AuthorizationTest(LocalHBase hbase) {
    options = Stores.options(hbase);
  }

  /** The HBase of tests has hbase.security.authorization off, as is HBase's default. */
  @Test
  void anHBaseThatAuthorizesNobodySaysSoAndIsRefused() throws Exception {
    List<SecurityCapability> told;
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(Connections.configuration(options))
            .get(60, TimeUnit.SECONDS)) {
      told = Introduction.to(connection).get(60, TimeUnit.SECONDS);
    }
    assertThat(told).isNotEmpty();
    assertThatThrownBy(() -> Connections.requireAuthorization(options, told))
        .isInstanceOf(StoreException.class)
        .hasMessage(
            "HBase at "
                + options.zooKeeper()
                + " lets every user with a ticket read and change the file system. Set"
                + " hbase.security.authorization to true in HBase, with its AccessController");
  }

  @Test
  void oneThatAuthorizesIsTaken() {
    List<SecurityCapability> told =
        List.of(SecurityCapability.SECURE_AUTHENTICATION, SecurityCapability.AUTHORIZATION);
    assertThatCode(() -> Connections.requireAuthorization(options, told))
        .doesNotThrowAnyException();
  }
}
