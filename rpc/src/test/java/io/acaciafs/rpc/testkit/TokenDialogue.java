package io.acaciafs.rpc.testkit;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.Map;
import javax.security.auth.callback.Callback;
import javax.security.auth.callback.NameCallback;
import javax.security.auth.callback.PasswordCallback;
import javax.security.sasl.RealmCallback;
import javax.security.sasl.Sasl;
import javax.security.sasl.SaslClient;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslAuth;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** What a client says that authenticates by a token. */
public final class TokenDialogue {
  /** How a server offers tokens, but for the challenge. */
  public static final SaslAuth TOKEN_AUTH =
      SaslAuth.newBuilder()
          .setMethod("TOKEN")
          .setMechanism("DIGEST-MD5")
          .setProtocol("")
          .setServerId("default")
          .build();

  private final String user;
  private final byte[] password;
  private final String quality;
  private SaslClient sasl;

  /**
   * @param quality auth, auth-int or auth-conf
   */
  public TokenDialogue(String owner, int number, byte[] password, String quality) {
    user = Base64.getEncoder().encodeToString(FixedTokens.newIdentifier(owner, number).getBytes());
    this.password = password;
    this.quality = quality;
  }

  public static RpcSaslProto message(SaslState state) {
    return RpcSaslProto.newBuilder().setState(state).build();
  }

  public static byte[] frame(RpcSaslProto message) throws IOException {
    return RawClient.frame(RawClient.header(RawClient.SASL), message);
  }

  /** The last of the server's messages, which all are whole. */
  public static RpcSaslProto lastMessage(byte[] sent) throws IOException {
    ByteBuffer in = ByteBuffer.wrap(sent);
    RpcSaslProto last = null;
    while (in.hasRemaining()) {
      byte[] frame = new byte[in.getInt()];
      in.get(frame);
      var body = ByteString.copyFrom(frame).newInput();
      RpcResponseHeaderProto.parseDelimitedFrom(body);
      last = RpcSaslProto.parseDelimitedFrom(body);
    }
    return last;
  }

  /** The answer to the challenge for a token. */
  public RpcSaslProto initiation(RpcSaslProto offer) throws IOException {
    SaslAuth auth = offer.getAuths(0);
    sasl =
        Sasl.createSaslClient(
            new String[] {auth.getMechanism()},
            null,
            auth.getProtocol(),
            auth.getServerId(),
            Map.of(Sasl.QOP, quality, Sasl.SERVER_AUTH, "true"),
            this::handle);
    return RpcSaslProto.newBuilder()
        .setState(SaslState.INITIATE)
        .addAuths(auth.toBuilder().clearChallenge())
        .setToken(ByteString.copyFrom(sasl.evaluateChallenge(auth.getChallenge().toByteArray())))
        .build();
  }

  private void handle(Callback[] callbacks) {
    for (Callback callback : callbacks) {
      if (callback instanceof NameCallback name) {
        name.setName(user);
      } else if (callback instanceof PasswordCallback secret) {
        secret.setPassword(Base64.getEncoder().encodeToString(password).toCharArray());
      } else if (callback instanceof RealmCallback realm) {
        realm.setText(realm.getDefaultText());
      }
    }
  }

  /** The server has said its last word. */
  public void complete(RpcSaslProto last) throws IOException {
    sasl.evaluateChallenge(last.getToken().toByteArray());
  }

  /** The next packet, with these bytes in it. */
  public byte[] wrap(byte[] bytes) throws IOException {
    return frame(
        RpcSaslProto.newBuilder()
            .setState(SaslState.WRAP)
            .setToken(ByteString.copyFrom(sasl.wrap(bytes, 0, bytes.length)))
            .build());
  }

  public byte[] unwrap(RpcSaslProto packet) throws IOException {
    byte[] token = packet.getToken().toByteArray();
    return sasl.unwrap(token, 0, token.length);
  }
}
