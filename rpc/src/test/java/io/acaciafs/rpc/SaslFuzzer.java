package io.acaciafs.rpc;

import io.acaciafs.rpc.call.CallDispatcher;
import io.acaciafs.rpc.call.ReplyCache;
import io.acaciafs.rpc.call.Workers;
import io.acaciafs.rpc.connection.ConnectionHost;
import io.acaciafs.rpc.connection.EventLoops;
import io.acaciafs.rpc.connection.RpcConnection;
import io.acaciafs.rpc.method.MethodRegistry;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.testkit.FixedTokens;
import io.acaciafs.rpc.testkit.MemoryChannel;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestService;
import io.acaciafs.rpc.testkit.TokenDialogue;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.ipc.protobuf.IpcConnectionContextProtos.IpcConnectionContextProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcSaslProto.SaslState;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * Any bytes as what a client sends to a server whose clients have to prove who they are. Target of
 * a coverage-guided fuzzer (docs/fuzzing.md); {@link FuzzedConnectionTest} replays its corpus.
 *
 * <p>What has to hold: no method sees a call of a client that has proved nothing, or one that came
 * outside a packet; a connection is closed with a word about why and not by a bug; no buffer is
 * lost; and memory grows with what was sent.
 *
 * <p>The first byte of an input says what the rest is, modulo 8: the bytes of the client; frames of
 * the client's messages, each of which has one byte of length in the input; the token with which
 * the client begins; after a client has proved who it is, bytes beside its packets, and within
 * them, both with integrity and then with privacy; and with authentication alone bytes, which are
 * in no packet.
 */
public final class SaslFuzzer {
  private static final long MOST_BYTES = 64 << 20;
  private static final int MODES = 8;

  /** The first one of clients that have proved who they are. */
  private static final int PROVED = 3;

  private static final int BESIDE_PRIVATE_PACKETS = 5;
  private static final int WITHOUT_PACKETS = 7;
  private static final int TOKEN = 7;
  private static final Workers HERE = (isolated, task) -> task.run();
  private static final TestService SERVICE = new TestService();
  private static final RpcMetrics METRICS = new RpcMetrics(() -> 0);

  /**
   * Not the result of a method: Jazzer loads the types of this class's methods before it weaves
   * into classes, and in one that is loaded then, the JVM lets no nested class in any more.
   */
  private static final RpcServerOptions OPTIONS;

  static {
    try {
      OPTIONS =
          RpcServerOptions.builder()
              .authentication(
                  new FixedTokens().add(TOKEN).authentication("integrity,privacy,authentication"))
              .build();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static final CallDispatcher CALLS =
      new CallDispatcher(
          OPTIONS,
          new MethodRegistry(
              List.of(SERVICE.protocol()), METRICS, CallListener.Provider.NONE, null),
          HERE,
          new ReplyCache(1 << 20),
          METRICS);
  private static final com.sun.management.ThreadMXBean THREADS =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  private SaslFuzzer() {}

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length > 0) {
      byte[] rest = Arrays.copyOfRange(input, 1, input.length);
      int mode = (input[0] & 0xff) % MODES;
      // Not of the first time alone: then classes are loaded as well.
      require(
          run(mode, rest) < MOST_BYTES || run(mode, rest) < MOST_BYTES,
          "memory grows with what was sent");
    }
  }

  /** Returns how much memory was allocated, in bytes. */
  private static long run(int mode, byte[] rest) throws IOException {
    SERVICE.calls.clear();
    long refused = METRICS.snapshot().connections().refused();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    MemoryChannel channel =
        new MemoryChannel(
            socket ->
                new RpcConnection(
                    new ConnectionHost(OPTIONS, CALLS, HERE, EventLoops.none(), METRICS, () -> 0),
                    socket,
                    false));
    List<ByteBuf> parts = new ArrayList<>();
    send(channel, parts, RawClient.preamble(9, RawClient.SASL));
    boolean isWithin = mode == PROVED + 1 || mode == BESIDE_PRIVATE_PACKETS + 1;
    if (mode >= PROVED) {
      TokenDialogue client =
          new TokenDialogue("alice", TOKEN, FixedTokens.password(TOKEN), quality(mode));
      send(channel, parts, TokenDialogue.frame(TokenDialogue.message(SaslState.NEGOTIATE)));
      send(
          channel,
          parts,
          TokenDialogue.frame(client.initiation(TokenDialogue.lastMessage(channel.sent()))));
      client.complete(TokenDialogue.lastMessage(channel.sent()));
      byte[] context =
          RawClient.frame(
              RawClient.header(RawClient.CONTEXT),
              IpcConnectionContextProto.newBuilder().setProtocol(TestService.NAME).build());
      send(channel, parts, mode == WITHOUT_PACKETS ? context : client.wrap(context));
      require(channel.isActive(), "a client with a token comes in");
      if (isWithin && rest.length > 0) {
        int half = rest.length / 2;
        send(channel, parts, client.wrap(Arrays.copyOf(rest, half + 1)));
        if (half + 1 < rest.length && channel.isActive()) {
          send(channel, parts, client.wrap(Arrays.copyOfRange(rest, half + 1, rest.length)));
        }
      } else {
        send(channel, parts, rest);
      }
    } else {
      send(channel, parts, stranger(mode, rest));
    }
    boolean isOpen = channel.isActive() && !channel.isOutputShutdown();
    channel.advanceTimeBy(1, TimeUnit.MINUTES);
    channel.runPendingTasks();
    require(isOpen == channel.isActive(), "a refused connection ends within a minute");
    channel.finishAndReleaseAll();
    require(channel.usedBytes() == 0, "no buffer of replies is lost");
    require(parts.stream().allMatch(part -> part.refCnt() == 0), "no buffer of requests is lost");
    require(
        isOpen == (METRICS.snapshot().connections().refused() == refused),
        "a connection is closed because of its bytes, and not of a bug");
    require(
        isWithin || mode == WITHOUT_PACKETS || SERVICE.calls.isEmpty(),
        "nobody calls who has proved nothing");
    return THREADS.getCurrentThreadAllocatedBytes() - allocated;
  }

  private static String quality(int mode) {
    if (mode == WITHOUT_PACKETS) {
      return "auth";
    }
    return mode < BESIDE_PRIVATE_PACKETS ? "auth-int" : "auth-conf";
  }

  private static byte[] stranger(int mode, byte[] rest) throws IOException {
    switch (mode) {
      case 1 -> {
        byte[] frames = new byte[0];
        for (int at = 0; at < rest.length; ) {
          int end = Math.min(rest.length, at + 1 + (rest[at] & 0xff));
          byte[] body = Arrays.copyOfRange(rest, at + 1, end);
          RpcSaslProto message = parsed(body);
          frames =
              RawClient.concat(
                  frames, message == null ? RawClient.frame(body) : TokenDialogue.frame(message));
          at = end;
        }
        return frames;
      }
      case 2 -> {
        RpcSaslProto begin =
            RpcSaslProto.newBuilder()
                .setState(SaslState.INITIATE)
                .addAuths(TokenDialogue.TOKEN_AUTH)
                .setToken(
                    rest.length > 0 && rest[0] == '"'
                        ? ByteString.copyFrom(
                            ("username=" + new String(rest, StandardCharsets.ISO_8859_1))
                                .getBytes(StandardCharsets.ISO_8859_1))
                        : ByteString.copyFrom(rest))
                .build();
        return RawClient.concat(
            TokenDialogue.frame(TokenDialogue.message(SaslState.NEGOTIATE)),
            TokenDialogue.frame(begin));
      }
      default -> {
        return rest;
      }
    }
  }

  private static RpcSaslProto parsed(byte[] body) {
    try {
      return RpcSaslProto.parseFrom(body);
    } catch (IOException e) {
      return null;
    }
  }

  private static void send(MemoryChannel channel, List<ByteBuf> parts, byte[] bytes) {
    if (bytes.length == 0) {
      return; // Netty has but one empty buffer, which is never released
    }
    ByteBuf part = Unpooled.copiedBuffer(bytes);
    parts.add(part);
    channel.writeInbound(part);
    channel.runPendingTasks();
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("Broken: " + rule);
    }
  }
}
