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
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshRequestProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A client's call on its way from a standby to the leader. */
class ForwardedCallTest {
  private static final long TERM = 5;
  private static final DeleteRequestProto REQUEST =
      DeleteRequestProto.newBuilder().setSrc("/a").setRecursive(true).build();

  private static final String TOKEN = Base64.getEncoder().encodeToString(token().getBytes());

  private static DelegationTokenIdentifier token() {
    DelegationTokenIdentifier token =
        new DelegationTokenIdentifier(new Text("alice"), new Text("yarn"), new Text());
    token.setSequenceNumber(9);
    return token;
  }

  @BeforeAll
  static void knowNames() {
    UserGroupInformation.setConfiguration(new Configuration()); // short names rest on it
  }

  /** As the leader sees the user of a call that a standby got and handed on. */
  private static UserGroupInformation forwarded(String user, String realUser, String... proofs)
      throws IOException {
    return forwardedCall(user, realUser, proofs).user();
  }

  private static ForwardedCall forwardedCall(String user, String realUser, String... proofs)
      throws IOException {
    ForwardedCall atStandby = ClientCall.of("delete", REQUEST, user, realUser, List.of(proofs));
    ForwardedCall call =
        ForwardedCall.decode(ForwardedCall.encode(atStandby, REQUEST, 0, TERM, true), REQUEST);
    assertThat(call.request()).isEqualTo(REQUEST);
    assertThat(call.term()).isEqualTo(TERM);
    return call;
  }

  @Test
  void aUserThatProvedNothingStaysOne() throws Exception {
    assertThat(forwarded("alice", "")).hasToString("alice (auth:SIMPLE)");
  }

  /** Without security a token says no more of a user than its name. */
  @Test
  void withoutSecurityCallsAreAsAnEarlierVersionExpectsThem() throws Exception {
    for (ForwardedCall call :
        List.of(
            ClientCall.of("delete", REQUEST),
            ClientCall.of("delete", REQUEST, "bob", "oozie", List.of("TOKEN", "TOKEN", TOKEN)))) {
      GenericRefreshRequestProto sent = ForwardedCall.encode(call, REQUEST, 0, TERM);
      assertThat(sent.getArgsCount()).isEqualTo(10);
      UserGroupInformation real = call.user().getRealUser();
      assertThat(ForwardedCall.decode(sent, REQUEST).user())
          .hasToString(
              real == null ? "someone (auth:SIMPLE)" : "bob (auth:PROXY) via oozie (auth:SIMPLE)");
    }
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
    UserGroupInformation there = forwarded("alice", "", "TOKEN", "", TOKEN);
    assertThat(there).hasToString("alice (auth:TOKEN)");
    assertThat(there.getTokenIdentifiers()).containsExactly(token());
  }

  @Test
  void aTokenOfAProxyUserIsKnownThere() throws Exception {
    UserGroupInformation there = forwarded("bob", "oozie", "TOKEN", "TOKEN", TOKEN);
    assertThat(there).hasToString("bob (auth:TOKEN) via oozie (auth:TOKEN)");
    assertThat(there.getTokenIdentifiers()).containsExactly(token());
  }

  @Test
  void theProtectionOfAnAuxiliaryPortIsKnownThere() throws Exception {
    ForwardedCall there = forwardedCall("alice@EXAMPLE.COM", "", "KERBEROS", "", "", "auth-conf");
    assertThat(there.auxiliaryPortQop()).isEqualTo("auth-conf");
    assertThat(there.user()).hasToString("alice@EXAMPLE.COM (auth:KERBEROS)");
    assertThat(forwardedCall("alice@EXAMPLE.COM", "", "KERBEROS", "", "").auxiliaryPortQop())
        .isNull();
  }

  @Test
  void whatIsNoCallIsRefused() {
    assertThatThrownBy(() -> forwarded("alice", "", "KERBEROS"))
        .isInstanceOf(IOException.class)
        .hasMessage("Not a call that a NameNode forwards");
    assertThatThrownBy(() -> forwarded("alice", "", "KERBEROS", "", "", "auth", "more"))
        .isInstanceOf(IOException.class)
        .hasMessage("Not a call that a NameNode forwards");
    assertThatThrownBy(() -> forwarded("alice", "", "WORD_OF_HONOUR", "", ""))
        .isInstanceOf(IOException.class)
        .hasMessage("Not a call that a NameNode forwards");
  }
}
