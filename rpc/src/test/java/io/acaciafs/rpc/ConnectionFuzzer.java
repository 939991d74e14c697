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
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.rpc.testkit.MemoryChannel;
import io.acaciafs.rpc.testkit.RawClient;
import io.acaciafs.rpc.testkit.TestService;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.MkdirsResponseProto;
import org.apache.hadoop.ipc.protobuf.ProtobufRpcEngine2Protos.RequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcRequestHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto;
import org.apache.hadoop.ipc.protobuf.RpcHeaderProtos.RpcResponseHeaderProto.RpcStatusProto;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.thirdparty.protobuf.CodedInputStream;
import org.apache.hadoop.thirdparty.protobuf.Message;

/**
 * Any bytes as what a client sends. Target of a coverage-guided fuzzer (docs/fuzzing.md); {@link
 * FuzzedConnectionTest} replays its corpus.
 *
 * <p>What has to hold: each call is answered, once, or the connection is closed with a word about
 * why; methods see whole valid calls alone, by the judgement of protobuf's own parsers; no buffer
 * is lost; and memory grows with what was sent, not with what was announced.
 *
 * <p>The first byte of an input says how the rest is sent: bit 0 with a preamble before it; bit 1
 * with a context as well; bit 2 as frames, each of which has one byte of length in the input; the
 * other bits, unless 0, how many bytes at a time.
 */
public final class ConnectionFuzzer {
  private static final long MOST_BYTES = 64 << 20;
  private static final int PREAMBLE = 1;
  private static final int CONTEXT = 2;
  private static final int FRAMES = 4;
  private static final int CHUNK_SHIFT = 3;

  private static final Recorder SERVICE = new Recorder();
  private static final Workers HERE = (isolated, task) -> task.run();
  private static final RpcServerOptions OPTIONS = RpcServerOptions.builder().build();
  private static final RpcMetrics METRICS = new RpcMetrics(() -> 0);
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

  static {
    UserGroupInformation.isSecurityEnabled(); // as a server, it knows what names are allowed
  }

  private ConnectionFuzzer() {}

  /** Answers with what it was asked, and remembers it. */
  private static final class Recorder {
    private final List<Message> requests = new ArrayList<>();

    RpcProtocol protocol() {
      return RpcProtocol.builder(
              TestService.NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
          .method("getLinkTarget", GetLinkTargetRequestProto.class, this::link)
          .asyncMethod("createSnapshot", CreateSnapshotRequestProto.class, this::snapshot)
          .blockingMethod("mkdirs", MkdirsRequestProto.class, this::mkdirs)
          .build();
    }

    private GetLinkTargetResponseProto link(RpcCall call, GetLinkTargetRequestProto request)
        throws IOException {
      requests.add(request);
      if (request.getPath().isEmpty()) {
        throw new IOException("No path");
      }
      return GetLinkTargetResponseProto.newBuilder().setTargetPath(request.getPath()).build();
    }

    private CompletableFuture<CreateSnapshotResponseProto> snapshot(
        RpcCall call, CreateSnapshotRequestProto request) {
      requests.add(request);
      return CompletableFuture.completedFuture(
          CreateSnapshotResponseProto.newBuilder()
              .setSnapshotPath(request.getSnapshotName())
              .build());
    }

    private MkdirsResponseProto mkdirs(RpcCall call, MkdirsRequestProto request) {
      requests.add(request);
      return MkdirsResponseProto.newBuilder().setResult(true).build();
    }
  }

  /** Called by the fuzzer. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    if (input.length > 0) {
      byte[] bytes = bytesOf(input);
      int chunkBytes = (input[0] & 0xff) >> CHUNK_SHIFT;
      // Not of the first time alone: then classes are loaded as well, and woven into by the fuzzer.
      require(
          run(bytes, chunkBytes) < MOST_BYTES || run(bytes, chunkBytes) < MOST_BYTES,
          "memory grows with what was sent");
    }
  }

  private static byte[] bytesOf(byte[] input) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if ((input[0] & PREAMBLE) != 0) {
      bytes.writeBytes(RawClient.preamble(9, 0));
    }
    if ((input[0] & CONTEXT) != 0) {
      bytes.writeBytes(
          RawClient.frame(RawClient.header(RawClient.CONTEXT), RawClient.context("alice")));
    }
    if ((input[0] & FRAMES) == 0) {
      bytes.write(input, 1, input.length - 1);
    } else {
      for (int at = 1; at < input.length; ) {
        int end = Math.min(input.length, at + 1 + (input[at] & 0xff));
        bytes.writeBytes(RawClient.frame(Arrays.copyOfRange(input, at + 1, end)));
        at = end;
      }
    }
    return bytes.toByteArray();
  }

  /** Returns how much memory was allocated, in bytes. */
  private static long run(byte[] bytes, int chunkBytes) throws IOException {
    SERVICE.requests.clear();
    long refused = METRICS.snapshot().connections().refused();
    long allocated = THREADS.getCurrentThreadAllocatedBytes();
    MemoryChannel channel = new MemoryChannel(socket -> new RpcConnection(host(), socket, false));
    List<ByteBuf> parts = new ArrayList<>();
    int step = chunkBytes == 0 ? Math.max(1, bytes.length) : chunkBytes;
    for (int at = 0; at < bytes.length && channel.isActive(); at += step) {
      ByteBuf part = Unpooled.copiedBuffer(bytes, at, Math.min(step, bytes.length - at));
      parts.add(part);
      channel.writeInbound(part);
    }
    channel.runPendingTasks();
    byte[] sent = channel.sent();
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
    long used = THREADS.getCurrentThreadAllocatedBytes() - allocated;
    compare(bytes, sent, isOpen);
    return used;
  }

  private static ConnectionHost host() {
    return new ConnectionHost(OPTIONS, CALLS, HERE, EventLoops.none(), METRICS, () -> 0);
  }

  /** With what protobuf's own parsers make of the frames. */
  private static void compare(byte[] bytes, byte[] sent, boolean isOpen) throws IOException {
    byte[] preamble = RawClient.preamble(9, 0);
    boolean isPlain =
        bytes.length >= preamble.length
            && Arrays.equals(bytes, 0, 5, preamble, 0, 5)
            && (bytes[6] == 0 || bytes[6] == RawClient.SASL);
    if (!isPlain) {
      require(SERVICE.requests.isEmpty(), "no call without a preamble");
      require(!isOpen || bytes.length < preamble.length, "no connection without a preamble");
      return;
    }
    List<Expected> expected = new ArrayList<>();
    List<Message> requests = new ArrayList<>();
    for (byte[] frame : frames(bytes, preamble.length)) {
      Expected reply = Expected.of(frame);
      if (reply != null) {
        expected.add(reply);
        if (reply.request() != null) {
          requests.add(reply.request());
        }
      }
    }
    List<byte[]> replies = frames(sent, 0);
    int count = isOpen ? replies.size() : Math.max(0, replies.size() - 1);
    require(!isOpen || count == expected.size(), "each call is answered");
    require(count <= expected.size(), "nothing is answered that was not asked");
    for (byte[] reply : replies.subList(0, count)) {
      require(answerOne(expected, reply), "a reply is the one of a call that has none yet");
    }
    int called = SERVICE.requests.size();
    require(
        called <= requests.size()
            && (!isOpen || called == requests.size())
            && SERVICE.requests.equals(requests.subList(0, called)),
        "methods see the calls, and nothing else");
  }

  /** The whole ones. */
  private static List<byte[]> frames(byte[] bytes, int offset) {
    List<byte[]> frames = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(bytes, offset, bytes.length - offset);
    while (in.remaining() >= Integer.BYTES) {
      int length = in.getInt();
      if (length < 0 || length > in.remaining()) {
        break;
      }
      byte[] frame = new byte[length];
      in.get(frame);
      frames.add(frame);
    }
    return frames;
  }

  /**
   * What a frame is answered with.
   *
   * @param request what its method is to see; null where it is no call of a method
   */
  private record Expected(RpcRequestHeaderProto header, Message request) {
    /** Null: with nothing, or with the end of the connection. */
    static Expected of(byte[] frame) {
      ByteArrayInputStream in = new ByteArrayInputStream(frame);
      RpcRequestHeaderProto header;
      try {
        byte[] first = delimited(in);
        header = first == null ? null : RpcRequestHeaderProto.parseFrom(first);
      } catch (IOException | RuntimeException e) {
        return null;
      }
      if (header == null || header.getCallId() < 0 && header.getCallId() != RawClient.SASL) {
        return null;
      }
      try {
        return new Expected(header, header.getCallId() < 0 ? null : request(in));
      } catch (IOException | RuntimeException e) {
        return new Expected(header, null);
      }
    }

    private static Message request(ByteArrayInputStream in) throws IOException {
      byte[] named = delimited(in);
      RequestHeaderProto method = named == null ? null : RequestHeaderProto.parseFrom(named);
      if (method == null
          || !method.getDeclaringClassProtocolName().equals(TestService.NAME)
          || method.getClientProtocolVersion() != 1) {
        return null;
      }
      byte[] request = delimited(in);
      if (request == null) {
        return null;
      }
      return switch (method.getMethodName()) {
        case "getLinkTarget" -> GetLinkTargetRequestProto.parseFrom(request);
        case "createSnapshot" -> CreateSnapshotRequestProto.parseFrom(request);
        case "mkdirs" -> MkdirsRequestProto.parseFrom(request);
        default -> null;
      };
    }

    /**
     * The next message, null where there is none. {@code parseDelimitedFrom} would take one that is
     * cut off between two fields for whole.
     */
    private static byte[] delimited(ByteArrayInputStream in) throws IOException {
      int first = in.read();
      if (first < 0) {
        return null;
      }
      int length = CodedInputStream.readRawVarint32(first, in);
      if (length < 0 || length > in.available()) {
        throw new IOException("cut off");
      }
      return in.readNBytes(length);
    }

    /** Whether it is what this call is to be told: of a valid one success, and no other. */
    boolean isAnsweredBy(byte[] reply) throws IOException {
      ByteArrayInputStream in = new ByteArrayInputStream(reply);
      RpcResponseHeaderProto answered = RpcResponseHeaderProto.parseDelimitedFrom(in);
      if (answered.getCallId() != header.getCallId()) {
        return false;
      }
      if (header.getCallId() < 0) {
        return true;
      }
      boolean hasFailed =
          request == null
              || request instanceof GetLinkTargetRequestProto link && link.getPath().isEmpty();
      if (!answered.getClientId().equals(header.getClientId())
          || answered.getRetryCount() != header.getRetryCount()
          || (answered.getStatus() == RpcStatusProto.SUCCESS) == hasFailed) {
        return false;
      }
      return hasFailed
          || !(request instanceof GetLinkTargetRequestProto link)
          || GetLinkTargetResponseProto.parseDelimitedFrom(in)
              .getTargetPath()
              .equals(link.getPath());
    }
  }

  /** Calls of different kinds may overtake each other; clients know replies by their numbers. */
  private static boolean answerOne(List<Expected> waiting, byte[] reply) throws IOException {
    for (Expected call : waiting) {
      if (call.isAnsweredBy(reply)) {
        waiting.remove(call);
        return true;
      }
    }
    return false;
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new AssertionError("Broken: " + rule);
    }
  }
}
