package io.acaciafs.rpc.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.apache.hadoop.ipc.IpcException;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RpcConstants;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcErrorCodeProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;

/**
 * The first seven bytes of a connection: "hrpc", version, service class (not used), and how the
 * client wants to authenticate. Source: {@code RpcConstants}, {@code
 * Server.setupBadVersionResponse}.
 */
public final class Preamble {
  public static final int LENGTH_BYTES = 7;

  private static final byte AUTH_NONE = 0;
  private static final byte AUTH_SASL = -33;
  private static final byte[] MAGIC = "hrpc".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] HTTP_GET = "GET ".getBytes(StandardCharsets.US_ASCII);
  private static final String HTTP_REPLY =
      "HTTP/1.1 404 Not Found\r\n"
          + "Content-type: text/plain\r\n\r\n"
          + "It looks like you are making an HTTP request to a Hadoop IPC port. "
          + "This is not the correct port for the web interface on this daemon.\r\n";

  /** A status of the replies of versions 3 to 8. */
  private static final int OLD_FATAL = -1;

  private Preamble() {}

  /** What a preamble asks for. */
  public sealed interface Verdict {}

  /** A client of the same version. */
  public record Welcome(boolean sasl) implements Verdict {}

  /** Any other client: it gets the reply, which may be empty, and the connection closes. */
  public record Refused(String reason, ByteBuf reply) implements Verdict {}

  public static Verdict judge(byte[] preamble, ByteBufAllocator allocator) {
    byte version = preamble[4];
    byte auth = preamble[6];
    if (Arrays.equals(preamble, 0, 4, HTTP_GET, 0, 4)) {
      return new Refused(
          "HTTP request", Unpooled.copiedBuffer(HTTP_REPLY, StandardCharsets.US_ASCII));
    }
    if (!Arrays.equals(preamble, 0, 4, MAGIC, 0, 4)) {
      return new Refused("not Hadoop RPC", badVersion(version, allocator));
    }
    if (version != RpcConstants.CURRENT_VERSION) {
      return new Refused("RPC version " + version, badVersion(version, allocator));
    }
    if (auth != AUTH_NONE && auth != AUTH_SASL) {
      RpcFailure failure =
          new RpcFailure(
              RpcStatusProto.FATAL,
              RpcErrorCodeProto.FATAL_UNAUTHORIZED,
              IpcException.class.getName(),
              "Unknown auth protocol:" + auth);
      return new Refused(
          "authentication " + auth,
          ReplyEncoder.failure(
              allocator,
              CallIds.outOfBand(RpcConstants.AUTHORIZATION_FAILED_CALL_ID),
              ReplyEncoder.NO_STATE,
              failure));
    }
    return new Welcome(auth == AUTH_SASL);
  }

  /** Each generation of clients understands its own format; the oldest one understands none. */
  private static ByteBuf badVersion(byte version, ByteBufAllocator allocator) {
    String className = RPC.VersionMismatch.class.getName();
    String text =
        "Server IPC version "
            + RpcConstants.CURRENT_VERSION
            + " cannot communicate with client version "
            + version;
    if (version >= RpcConstants.CURRENT_VERSION) {
      return ReplyEncoder.failure(
          allocator,
          CallIds.outOfBand(-1),
          ReplyEncoder.NO_STATE,
          new RpcFailure(
              RpcStatusProto.FATAL, RpcErrorCodeProto.FATAL_VERSION_MISMATCH, className, text));
    }
    ByteBuf reply = Unpooled.buffer();
    if (version >= 3) {
      reply.writeInt(-1).writeInt(OLD_FATAL);
    } else if (version == 2) {
      reply.writeInt(0).writeBoolean(true);
    } else {
      return reply;
    }
    for (String part : new String[] {className, text}) {
      reply.writeInt(part.length());
      reply.writeCharSequence(part, StandardCharsets.US_ASCII);
    }
    return reply;
  }
}
