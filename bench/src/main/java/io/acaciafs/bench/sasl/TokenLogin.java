package io.acaciafs.bench.sasl;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.security.SaslRpcServer.AuthMethod;
import org.apache.hadoop.security.SaslRpcServer.QualityOfProtection;

/** A delegation token by DIGEST-MD5. Any thread. */
public final class TokenLogin implements SaslLogin {
  private static final String[] MECHANISMS = {"DIGEST-MD5"};

  private final String name;
  private final char[] password;
  private final Map<String, String> properties;

  /**
   * @param identifier of the token
   * @param password of the token
   */
  public TokenLogin(byte[] identifier, byte[] password, QualityOfProtection protection) {
    name = base64(identifier);
    this.password = base64(password).toCharArray();
    properties =
        Map.of(Sasl.QOP, protection.getSaslQop(), Sasl.SERVER_AUTH, Boolean.TRUE.toString());
  }

  private static String base64(byte[] bytes) {
    return new String(Base64.getEncoder().encode(bytes), StandardCharsets.US_ASCII);
  }

  @Override
  public AuthMethod method() {
    return AuthMethod.TOKEN;
  }

  @Override
  public SaslClient begin(SaslAuth offer) throws IOException {
    return Objects.requireNonNull(
        Sasl.createSaslClient(
            MECHANISMS,
            null,
            offer.getProtocol(),
            offer.getServerId(),
            properties,
            this::answerCallbacks),
        "the JDK has DIGEST-MD5");
  }

  private void answerCallbacks(Callback[] callbacks) {
    for (Callback callback : callbacks) {
      if (callback instanceof NameCallback asked) {
        asked.setName(name);
      } else if (callback instanceof PasswordCallback asked) {
        asked.setPassword(password);
      } else if (callback instanceof RealmCallback asked) {
        asked.setText(asked.getDefaultText());
      }
    }
  }

  @Override
  public byte[] answer(SaslClient client, byte[] challenge) throws IOException {
    byte[] answer = client.evaluateChallenge(challenge);
    return answer == null ? new byte[0] : answer;
  }
}
