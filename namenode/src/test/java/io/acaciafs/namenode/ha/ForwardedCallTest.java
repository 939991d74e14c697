package io.acaciafs.namenode.ha;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteRequestProto;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client's call on its way from a standby to the leader. */
class ForwardedCallTest {
  private static final long TERM = 5;
  private static final DeleteRequestProto REQUEST =
      DeleteRequestProto.newBuilder().setSrc("/a").setRecursive(true).build();

  @BeforeAll
  static void knowNames() {
    UserGroupInformation.setConfiguration(new Configuration()); // short names rest on it
  }

  /** As the leader sees the user of a call that a standby got and handed on. */
  private static UserGroupInformation forwarded(String user, String realUser, String... proofs)
      throws IOException {
    ForwardedCall atStandby = ClientCall.of("delete", REQUEST, user, realUser, List.of(proofs));
    ForwardedCall call =
        ForwardedCall.decode(ForwardedCall.encode(atStandby, REQUEST, 0, TERM), REQUEST);
    assertThat(call.request()).isEqualTo(REQUEST);
    assertThat(call.term()).isEqualTo(TERM);
    return call.user();
  }

  @Test
  void aUserThatProvedNothingStaysOne() throws Exception {
    assertThat(forwarded("alice", "")).hasToString("alice (auth:SIMPLE)");
    assertThat(
            ForwardedCall.encode(ClientCall.of("delete", REQUEST), REQUEST, 0, TERM).getArgsCount())
        .as("what earlier versions expect")
        .isEqualTo(10);
  }

  @Test
  void howAUserProvedItselfIsKnownThere() throws Exception {
    assertThat(forwarded("alice@EXAMPLE.COM", "", "KERBEROS", "", ""))
        .hasToString("alice@EXAMPLE.COM (auth:KERBEROS)");
  }

  @Test
  void aProxyUserHasItsRealUserThere() throws Exception {
    assertThat(forwarded("bob", "oozie@EXAMPLE.COM", "PROXY", "KERBEROS", ""))
        .hasToString("bob (auth:PROXY) via oozie@EXAMPLE.COM (auth:KERBEROS)");
  }

  @Test
  void aTokenIsKnownThere() throws Exception {
    DelegationTokenIdentifier token =
        new DelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text());
    token.setSequenceNumber(9);
    UserGroupInformation there =
        forwarded("alice", "", "TOKEN", "", Base64.getEncoder().encodeToString(token.getBytes()));
    assertThat(there).hasToString("alice (auth:TOKEN)");
    assertThat(there.getTokenIdentifiers()).containsExactly(token);
  }

  @Test
  void whatIsNoCallIsRefused() {
    assertThatThrownBy(() -> forwarded("alice", "", "KERBEROS"))
        .isInstanceOf(IOException.class)
        .hasMessage("Not a call that a NameNode forwards");
    assertThatThrownBy(() -> forwarded("alice", "", "WORD_OF_HONOUR", "", ""))
        .isInstanceOf(IOException.class)
        .hasMessage("Not a call that a NameNode forwards");
  }
}
