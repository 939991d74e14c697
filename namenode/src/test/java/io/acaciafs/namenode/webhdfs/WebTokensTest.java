package io.acaciafs.namenode.webhdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.apache.hadoop.security.SecurityUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;

class WebTokensTest {
  private static final UserGroupInformation ALICE = UserGroupInformation.createRemoteUser("alice");

  private final List<String> renewers = new ArrayList<>();

  /** Issues tokens, or null. */
  private ClientProtocol client(Token<DelegationTokenIdentifier> token) {
    return (ClientProtocol)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ClientProtocol.class},
            (proxy, method, args) -> {
              assertThat(method.getName()).isEqualTo("getDelegationToken");
              renewers.add(((Text) args[0]).toString());
              return token;
            });
  }

  private Token<DelegationTokenIdentifier> issue(
      Configuration conf, String address, String renewer, String scheme) throws IOException {
    Token<DelegationTokenIdentifier> token =
        new Token<>(new byte[] {1}, new byte[] {2}, new Text("HDFS_DELEGATION_TOKEN"), new Text());
    return WebTokens.issue(
        new WebHdfsServices(conf, null, null, null, null, address),
        client(token),
        ALICE,
        renewer,
        scheme);
  }

  @Test
  void aTokenIsOfTheSchemeAndOfThisNameNode() throws IOException {
    Token<?> token = issue(new Configuration(), "127.0.0.1:8020", "yarn", "http");
    assertThat(token.getKind()).hasToString("WEBHDFS delegation");
    assertThat(token.getService()).hasToString("127.0.0.1:8020");
    assertThat(issue(new Configuration(), "127.0.0.1:8020", null, "https").getKind())
        .hasToString("SWEBHDFS delegation");
    assertThat(renewers).containsExactly("yarn", "alice");
  }

  @Test
  void ofSeveralNameNodesItIsOfTheNameservice() throws IOException {
    Configuration conf = new Configuration();
    conf.set("dfs.nameservices", "ns");
    conf.set("dfs.client.failover.proxy.provider.ns", "any");
    assertThat(issue(conf, "ns", "yarn", "http").getService()).hasToString("ha-hdfs:ns");
  }

  /** hadoop.security.token.service.use_ip. */
  @Test
  void aSiteMayNameItsNameNodesByTheirHosts() throws IOException {
    SecurityUtil.setTokenServiceUseIp(false);
    try {
      assertThat(issue(new Configuration(), "localhost:8020", "yarn", "http").getService())
          .hasToString("localhost:8020");
    } finally {
      SecurityUtil.setTokenServiceUseIp(true);
    }
    assertThat(issue(new Configuration(), "localhost:8020", "yarn", "http").getService())
        .hasToString("127.0.0.1:8020");
  }

  @Test
  void whereThereAreNoTokensThereIsNone() throws IOException {
    WebHdfsServices services =
        new WebHdfsServices(new Configuration(), null, null, null, null, "127.0.0.1:8020");
    assertThat(WebTokens.issue(services, client(null), ALICE, "yarn", "http")).isNull();
  }

  @Test
  void theVerifierTellsAStandbyAsHdfsDoes() throws IOException {
    DelegationTokenIdentifier id = new DelegationTokenIdentifier();
    assertThatThrownBy(
            () ->
                WebTokens.verifier(
                        (token, password) -> {
                          throw new StandbyException("elsewhere");
                        })
                    .verifyToken(id, new byte[0]))
        .isExactlyInstanceOf(InvalidToken.class)
        .hasCauseExactlyInstanceOf(StandbyException.class);
    assertThatThrownBy(
            () ->
                WebTokens.verifier(
                        (token, password) -> {
                          throw new RetriableException("later");
                        })
                    .verifyToken(id, new byte[0]))
        .isExactlyInstanceOf(RetriableException.class);
    WebTokens.verifier((token, password) -> {}).verifyToken(id, new byte[0]);
  }
}
