package io.acaciafs.rpc.testkit;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.testkit.RawClient.Reply;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/** Authenticates by a token, message by message, and wraps as a test wants. */
public final class TokenClient implements AutoCloseable {
  private final RawClient client;
  private final TokenDialogue dialogue;
  private final ByteArrayOutputStream unwrapped = new ByteArrayOutputStream();

  /**
   * @param quality auth, auth-int or auth-conf
   */
  public TokenClient(RpcServer server, String owner, int number, byte[] password, String quality)
      throws IOException {
    this(server.address(), owner, number, password, quality);
  }

  /** The same at another address of a server. */
  public TokenClient(
      InetSocketAddress server, String owner, int number, byte[] password, String quality)
      throws IOException {
    client = new RawClient(server);
    dialogue = new TokenDialogue(owner, number, password, quality);
    client.send(RawClient.preamble(9, RawClient.SASL));
  }

  /** A client that has authenticated with a valid token. */
  public static TokenClient authenticated(
      RpcServer server, String owner, int number, String quality) throws IOException {
    return authenticated(server.address(), owner, number, quality);
  }

  /** The same at another address of a server. */
  public static TokenClient authenticated(
      InetSocketAddress server, String owner, int number, String quality) throws IOException {
    TokenClient client =
        new TokenClient(server, owner, number, FixedTokens.password(number), quality);
    RpcSaslProto last = client.authenticate();
    if (last.getState() != SaslState.SUCCESS) {
      throw new IOException("Not authenticated: " + last);
    }
    return client;
  }

  public RawClient raw() {
    return client;
  }

  public void send(RpcSaslProto message) throws IOException {
    client.send(TokenDialogue.frame(message));
  }

  /** What the server offers. */
  public RpcSaslProto negotiate() throws IOException {
    send(TokenDialogue.message(SaslState.NEGOTIATE));
    return read();
  }

  public RpcSaslProto read() throws IOException {
    Reply reply = client.read();
    if (reply.header().hasExceptionClassName()) {
      throw new IOException(reply.header().getExceptionClassName() + " " + reply.header());
    }
    return RpcSaslProto.parseDelimitedFrom(reply.rest().newInput());
  }

  /** The answer to the challenge for a token. */
  public RpcSaslProto initiation(RpcSaslProto offer) throws IOException {
    return dialogue.initiation(offer);
  }

  /** The whole exchange; returns the server's last word. */
  public RpcSaslProto authenticate() throws IOException {
    send(initiation(negotiate()));
    RpcSaslProto last = read();
    if (last.getState() == SaslState.SUCCESS) {
      dialogue.complete(last);
    }
    return last;
  }

  /** The next packet, with these bytes in it. */
  public byte[] wrap(byte[] bytes) throws IOException {
    return dialogue.wrap(bytes);
  }

  /** The next reply in a packet. */
  public Reply readWrapped() throws IOException {
    while (true) {
      DataInputStream in = new DataInputStream(new ByteArrayInputStream(unwrapped.toByteArray()));
      if (in.available() >= Integer.BYTES) {
        int length = in.readInt();
        if (in.available() >= length) {
          ByteString frame = ByteString.copyFrom(in.readNBytes(length));
          byte[] rest = in.readAllBytes();
          unwrapped.reset();
          unwrapped.writeBytes(rest);
          var body = frame.newInput();
          RpcResponseHeaderProto header = RpcResponseHeaderProto.parseDelimitedFrom(body);
          return new Reply(header, ByteString.readFrom(body));
        }
      }
      RpcSaslProto packet = read();
      if (packet.getState() != SaslState.WRAP) {
        throw new IOException("No packet: " + packet);
      }
      unwrapped.writeBytes(dialogue.unwrap(packet));
    }
  }

  @Override
  public void close() throws IOException {
    client.close();
  }
}
