package io.acaciafs.rpc.sasl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.TokenDialogue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import javax.security.sasl.SaslException;
import javax.security.sasl.SaslServer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.util.KerberosName;
import org.apache.hadoop.security.token.SecretManager.InvalidToken;
import org.apache.hadoop.thirdparty.protobuf.ByteString;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client may say when. */
class SaslNegotiationTest {
  private static final SaslAuth KERBEROS =
      SaslAuth.newBuilder()
          .setMethod("KERBEROS")
          .setMechanism("GSSAPI")
          .setProtocol("nn")
          .setServerId("localhost")
          .build();

  private SaslNegotiation negotiation;

  @BeforeEach
  void begin() throws IOException {
    negotiation = begin(new FixedTokens().authentication("authentication"));
  }

  private static SaslNegotiation begin(Authentication authentication) {
    return authentication.begin(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), 1234), 8020);
  }

  private static RpcSaslProto message(SaslState state) {
    return RpcSaslProto.newBuilder().setState(state).build();
  }

  private static RpcSaslProto answer(SaslNegotiation negotiation, RpcSaslProto message)
      throws IOException {
    assertThat(negotiation.prepare(message, Runnable::run)).isDone();
    return negotiation.answer(message);
  }

  private static RpcSaslProto initiation(SaslAuth... auths) {
    RpcSaslProto.Builder message = RpcSaslProto.newBuilder().setState(SaslState.INITIATE);
    for (SaslAuth auth : auths) {
      message.addAuths(auth);
    }
    return message.setToken(ByteString.copyFromUtf8("nonsense")).build();
  }

  @Test
  void offersTokensFirstWithAChallengeAndThenKerberosByTheNameOfTheServer() throws IOException {
    RpcSaslProto offer = negotiation.answer(message(SaslState.NEGOTIATE));
    assertThat(offer.getState()).isEqualTo(SaslState.NEGOTIATE);
    assertThat(offer.getAuthsCount()).isEqualTo(2);
    SaslAuth token = offer.getAuths(0);
    assertThat(token.getMethod()).isEqualTo("TOKEN");
    assertThat(token.getMechanism()).isEqualTo("DIGEST-MD5");
    assertThat(token.getProtocol()).isEmpty();
    assertThat(token.getServerId()).isEqualTo("default");
    assertThat(token.getChallenge().toStringUtf8()).contains("realm=\"default\"", "qop=\"auth\"");
    assertThat(offer.getAuths(1)).isEqualTo(KERBEROS);
  }

  /** By the rule DEFAULT a principal has a short name in the server's own realm alone. */
  @Test
  void aPrincipalOfAnotherRealmIsRefused() throws IOException {
    Authentication authentication = new FixedTokens().authentication("authentication");
    String rules = KerberosName.getRules();
    KerberosName.setRules("DEFAULT");
    try {
      SaslNegotiation proved =
          new SaslNegotiation(
              authentication, (method, callbacks) -> ofTicket("alice@OTHER.COM"), "client");
      assertThatThrownBy(() -> proved.answer(initiation(KERBEROS)))
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("No rules applied to alice@OTHER.COM");
      assertThat(proved.isEstablished()).isFalse();
    } finally {
      KerberosName.setRules(rules);
    }
  }

  /** A client that has shown a ticket at once. */
  private static SaslServer ofTicket(String principal) {
    return (SaslServer)
        Proxy.newProxyInstance(
            SaslServer.class.getClassLoader(),
            new Class<?>[] {SaslServer.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isComplete" -> true;
                  case "getAuthorizationID" -> principal;
                  default -> null;
                });
  }

  @Test
  void anOfferIsMadeOnce() throws IOException {
    negotiation.answer(message(SaslState.NEGOTIATE));
    assertThatThrownBy(() -> negotiation.answer(message(SaslState.NEGOTIATE)))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Client already attempted negotiation");
  }

  @ParameterizedTest
  @EnumSource(
      value = SaslState.class,
      names = {"SUCCESS", "CHALLENGE", "RESPONSE", "WRAP"})
  void nothingIsAnsweredThatWasNotAsked(SaslState state) throws IOException {
    assertThatThrownBy(() -> negotiation.answer(message(state)))
        .isInstanceOf(SaslException.class)
        .hasMessage("Client sent unsupported state " + state);
    begin();
    negotiation.answer(message(SaslState.NEGOTIATE)); // for a token the server has begun already
    assertThatThrownBy(() -> negotiation.answer(message(state)))
        .isInstanceOf(SaslException.class)
        .hasMessage("Client sent unsupported state " + state);
    assertThat(negotiation.isEstablished()).isFalse();
  }

  @Test
  void oneMechanismIsChosen() throws IOException {
    assertThatThrownBy(() -> negotiation.answer(initiation()))
        .isInstanceOf(SaslException.class)
        .hasMessage("Client mechanism is malformed");
    begin();
    assertThatThrownBy(() -> negotiation.answer(initiation(KERBEROS, KERBEROS)))
        .hasMessage("Client mechanism is malformed");
  }

  @Test
  void whatWasNotOfferedIsAnsweredWithTheOfferAndThenRefused() throws IOException {
    SaslAuth simple = SaslAuth.newBuilder().setMethod("SIMPLE").setMechanism("").build();
    assertThat(negotiation.answer(initiation(simple)).getState()).isEqualTo(SaslState.NEGOTIATE);
    assertThatThrownBy(() -> negotiation.answer(initiation(simple)))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("SIMPLE authentication is not enabled.  Available:[TOKEN, KERBEROS]");
    assertThat(negotiation.isSimple()).isFalse();
  }

  @Test
  void aTokenIsWanted() throws IOException {
    SaslAuth token =
        negotiation.answer(message(SaslState.NEGOTIATE)).getAuths(0).toBuilder()
            .clearChallenge()
            .build();
    assertThatThrownBy(
            () ->
                negotiation.answer(
                    RpcSaslProto.newBuilder().setState(SaslState.INITIATE).addAuths(token).build()))
        .isInstanceOf(SaslException.class)
        .hasMessage("Client did not send a token");
  }

  /** A client may begin with what it knows to be offered. */
  @Test
  void aClientNeedNotAskFirst() throws IOException {
    SaslNegotiation known = begin(new FixedTokens().add(7).authentication("integrity"));
    RpcSaslProto challenge =
        known.answer(
            RpcSaslProto.newBuilder()
                .setState(SaslState.INITIATE)
                .addAuths(TokenDialogue.TOKEN_AUTH)
                .setToken(ByteString.EMPTY)
                .build());
    assertThat(challenge.getState()).isEqualTo(SaslState.CHALLENGE);
    assertThat(known.isEstablished()).isFalse();
    RpcSaslProto asOffered =
        RpcSaslProto.newBuilder()
            .setState(SaslState.NEGOTIATE)
            .addAuths(TokenDialogue.TOKEN_AUTH.toBuilder().setChallenge(challenge.getToken()))
            .build();
    TokenDialogue client = new TokenDialogue("alice", 7, FixedTokens.password(7), "auth-int");
    ByteString response = client.initiation(asOffered).getToken();
    RpcSaslProto proof =
        RpcSaslProto.newBuilder().setState(SaslState.RESPONSE).setToken(response).build();
    assertThat(known.mayWait(proof)).isFalse();
    RpcSaslProto last = answer(known, proof);
    assertThat(last.getState()).isEqualTo(SaslState.SUCCESS);
    client.complete(last);
    assertThat(known.user()).hasToString("alice (auth:TOKEN)");
    assertThat(known.quality()).isEqualTo("auth-int");
  }

  /** By its cause a lookup may say why it does not know the token. */
  @Test
  void theCauseOfAnInvalidTokenIsTold() throws IOException {
    InvalidToken invalid = new InvalidToken("of what use is that?");
    invalid.initCause(new FileNotFoundException("no such cluster"));
    FixedTokens tokens =
        new FixedTokens()
            .add(
                7,
                () -> {
                  throw invalid;
                });
    SaslNegotiation known = begin(tokens.authentication("authentication"));
    RpcSaslProto offer = known.answer(message(SaslState.NEGOTIATE));
    RpcSaslProto initiation =
        new TokenDialogue("alice", 7, FixedTokens.password(7), "auth").initiation(offer);
    assertThatThrownBy(() -> answer(known, initiation)).isSameAs(invalid.getCause());
  }

  @Test
  void aTokenAtHandWaitsForNothing() throws IOException {
    SaslNegotiation known = begin(new FixedTokens().add(7).authentication("authentication"));
    assertThat(known.mayWait(message(SaslState.NEGOTIATE))).isFalse();
    RpcSaslProto initiation =
        new TokenDialogue("alice", 7, FixedTokens.password(7), "auth")
            .initiation(known.answer(message(SaslState.NEGOTIATE)));
    assertThat(known.mayWait(initiation)).isFalse();
    assertThat(answer(known, initiation).getState()).isEqualTo(SaslState.SUCCESS);
  }

  @Test
  void aTokenThatIsLookedUpIsWaitedForOnNoThread() throws IOException {
    CompletableFuture<byte[]> password = new CompletableFuture<>();
    SaslNegotiation known = begin(new FixedTokens().add(8, password).authentication("integrity"));
    RpcSaslProto initiation =
        new TokenDialogue("alice", 8, FixedTokens.password(8), "auth-int")
            .initiation(known.answer(message(SaslState.NEGOTIATE)));
    CompletableFuture<?> prepared = known.prepare(initiation, Runnable::run);
    assertThat(prepared).isNotDone();
    assertThat(known.mayWait(initiation)).isFalse();
    password.complete(FixedTokens.password(8));
    assertThat(prepared).isDone();
    assertThat(known.answer(initiation).getState()).isEqualTo(SaslState.SUCCESS);
  }

  @Test
  void allElseMayWait() throws IOException {
    SaslNegotiation first = begin(new FixedTokens().optional());
    assertThat(first.mayWait(message(SaslState.NEGOTIATE))).as("mechanisms are loaded").isTrue();
    first.answer(message(SaslState.NEGOTIATE));
    assertThat(first.mayWait(initiation(KERBEROS))).isTrue();
    assertThat(first.mayWait(message(SaslState.RESPONSE))).isTrue();
  }

  @Test
  void bytesWithoutSenseAuthenticateNobody() throws IOException {
    SaslAuth token =
        negotiation.answer(message(SaslState.NEGOTIATE)).getAuths(0).toBuilder()
            .clearChallenge()
            .build();
    assertThatThrownBy(() -> negotiation.answer(initiation(token)))
        .isInstanceOf(SaslException.class);
    assertThat(negotiation.isEstablished()).isFalse();
  }

  @Test
  void eachPortMayHaveAProtectionOfItsOwn() throws IOException {
    Configuration conf = new Configuration();
    conf.set(
        "hadoop.security.saslproperties.resolver.class",
        "org.apache.hadoop.security.IngressPortBasedResolver");
    conf.set("ingress.port.sasl.configured.ports", "9001,9002");
    conf.set("ingress.port.sasl.prop.9001", "privacy");
    conf.set("ingress.port.sasl.prop.9002", "integrity");
    Authentication authentication = new FixedTokens().authentication(conf);
    assertThat(challenge(authentication, 9001)).contains("qop=\"auth-conf\"");
    assertThat(challenge(authentication, 9002)).contains("qop=\"auth-int\"");
  }

  @ParameterizedTest
  @CsvSource({
    "'authentication,integrity,privacy', 'auth,auth-int,auth-conf'",
    "'privacy,authentication', 'auth-conf,auth'",
    "integrity, auth-int",
    ", auth",
  })
  void protectionsAreOfferedInTheOrderOfTheSite(String setting, String offered) throws IOException {
    Configuration conf = new Configuration();
    if (setting != null) {
      conf.set("hadoop.rpc.protection", setting);
    }
    assertThat(challenge(new FixedTokens().authentication(conf), 8020))
        .contains("qop=\"" + offered + "\"");
  }

  @Test
  void aServerThatCannotOfferWhatTheSiteWantsDoesNotStart() {
    Configuration conf = new Configuration();
    conf.set("hadoop.rpc.protection", "secrecy");
    assertThatThrownBy(() -> new FixedTokens().authentication(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("SECRECY");
    Configuration kerberos = new Configuration();
    kerberos.set("hadoop.security.authentication", "kerberos");
    assertThatThrownBy(
            () ->
                Authentication.of(
                    kerberos, UserGroupInformation.createRemoteUser("nn"), new FixedTokens()))
        .isInstanceOf(IOException.class)
        .hasMessage("Kerberos principal name does NOT have the expected hostname part: nn");
  }

  @Test
  void clientsOfAWhitelistMayHaveAProtectionOfTheirOwn(@TempDir Path folder) throws IOException {
    Configuration conf = new Configuration();
    conf.set(
        "hadoop.security.saslproperties.resolver.class",
        "org.apache.hadoop.security.WhitelistBasedResolver");
    Path listed = Files.writeString(folder.resolve("whitelist"), "10.1.2.0/24\n");
    conf.set("hadoop.security.sasl.fixedwhitelist.file", listed.toString());
    conf.set("hadoop.rpc.protection", "authentication");
    conf.set("hadoop.rpc.protection.non-whitelist", "integrity");
    Authentication authentication = new FixedTokens().authentication(conf);
    assertThat(challenge(authentication, "10.1.2.3", 8020)).contains("qop=\"auth\"");
    assertThat(challenge(authentication, "10.1.3.3", 8020)).contains("qop=\"auth-int\"");
  }

  private static String challenge(Authentication authentication, int port) throws IOException {
    return challenge(authentication, "127.0.0.1", port);
  }

  private static String challenge(Authentication authentication, String client, int port)
      throws IOException {
    return authentication
        .begin(new InetSocketAddress(client, 1234), port)
        .answer(message(SaslState.NEGOTIATE))
        .getAuths(0)
        .getChallenge()
        .toStringUtf8();
  }

  @Test
  void withoutTokensNoneAreOffered() throws IOException {
    FixedTokens tokens = new FixedTokens();
    tokens.authentication("authentication"); // for its rules of names
    SaslNegotiation ofKerberos = begin(KerberosOnly.authentication());
    RpcSaslProto offer = ofKerberos.answer(message(SaslState.NEGOTIATE));
    assertThat(offer.getAuthsList()).containsExactly(KERBEROS);
  }

  @Test
  void whereNamesAreBelievedAClientMayChooseThat() throws IOException {
    SaslNegotiation optional = begin(new FixedTokens().optional());
    RpcSaslProto offer = optional.answer(message(SaslState.NEGOTIATE));
    assertThat(offer.getAuthsList())
        .extracting(SaslAuth::getMethod)
        .containsExactly("TOKEN", "SIMPLE");
    RpcSaslProto choice =
        RpcSaslProto.newBuilder().setState(SaslState.INITIATE).addAuths(offer.getAuths(1)).build();
    assertThat(optional.answer(choice)).isNull();
    assertThat(optional.isSimple()).isTrue();
    assertThat(optional.isEstablished()).isFalse();
  }

  @Test
  void whatAClientSaysCannotBeginALineOfTheLog() {
    assertThat(AuthenticationLog.harmless("a\nb\u2028c\u202Ed")).isEqualTo("a?b?c?d");
    assertThat(AuthenticationLog.harmless("x".repeat(100_000))).hasSize(1000);
  }
}
