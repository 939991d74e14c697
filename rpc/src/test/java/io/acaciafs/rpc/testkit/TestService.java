package io.acaciafs.rpc.testkit;

import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetLinkTargetResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ErasureCodingProtos.GetECTopologyResultForPoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ECTopologyVerifierResultProto;
import org.apache.hadoop.ipc.CallerContext;

/**
 * A few methods of HDFS's protocol that answer with strings: {@code getLinkTarget} on the network
 * thread, as its path says; {@code createSnapshot} when the test completes its future; {@code
 * getECTopologyResultForPolicies} on a worker, when the test gives it a permit.
 */
public final class TestService {
  public static final String NAME = "org.apache.hadoop.hdfs.protocol.ClientProtocol";

  /** The calls that have come, in their order. */
  public final BlockingQueue<RpcCall> calls = new LinkedBlockingQueue<>();

  /** Calls of {@code createSnapshot} that wait. */
  public final BlockingQueue<Pending> pending = new LinkedBlockingQueue<>();

  /** How many calls of {@code getECTopologyResultForPolicies} may be answered. */
  public final Semaphore permits = new Semaphore(0);

  /** A call and its answer to come. */
  public record Pending(String name, CompletableFuture<CreateSnapshotResponseProto> reply) {
    public void answer() {
      reply.complete(CreateSnapshotResponseProto.newBuilder().setSnapshotPath(name).build());
    }
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(NAME, 1, ClientNamenodeProtocol.newReflectiveBlockingService(null))
        .method("getLinkTarget", GetLinkTargetRequestProto.class, this::getLinkTarget)
        .asyncMethod("createSnapshot", CreateSnapshotRequestProto.class, this::createSnapshot)
        .blockingMethod(
            "getECTopologyResultForPolicies",
            GetECTopologyResultForPoliciesRequestProto.class,
            this::getEcTopology)
        .build();
  }

  private GetLinkTargetResponseProto getLinkTarget(RpcCall call, GetLinkTargetRequestProto request)
      throws IOException {
    calls.add(call);
    String[] words = request.getPath().split(" ", 2);
    String target =
        switch (words[0]) {
          case "large" -> "x".repeat(Integer.parseInt(words[1]));
          case "length" -> String.valueOf(words[1].length());
          case "missing" -> throw new FileNotFoundException(words[1]);
          case "ioe" -> throw new IOException(words[1]);
          case "bug" -> throw new IllegalStateException(words[1]);
          case "sleep" -> slept(Integer.parseInt(words[1]));
          case "thread" -> Thread.currentThread().getName();
          case "user" -> String.valueOf(call.user());
          case "context" -> describe(call.callerContext());
          case "null" -> null;
          default -> request.getPath();
        };
    return target == null
        ? null
        : GetLinkTargetResponseProto.newBuilder().setTargetPath(target).build();
  }

  private static String slept(int ms) {
    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(ms));
    return "awake";
  }

  private static String describe(CallerContext context) {
    return context == null
        ? "none"
        : context.getContext() + "/" + new String(context.getSignature());
  }

  private CompletableFuture<CreateSnapshotResponseProto> createSnapshot(
      RpcCall call, CreateSnapshotRequestProto request) {
    Pending waiting = new Pending(request.getSnapshotName(), new CompletableFuture<>());
    if (request.getSnapshotRoot().equals("/now")) {
      waiting.answer();
    } else {
      calls.add(call);
      pending.add(waiting);
    }
    return waiting.reply;
  }

  private GetECTopologyResultForPoliciesResponseProto getEcTopology(
      RpcCall call, GetECTopologyResultForPoliciesRequestProto request)
      throws InterruptedException {
    calls.add(call);
    permits.acquire();
    return GetECTopologyResultForPoliciesResponseProto.newBuilder()
        .setResponse(
            ECTopologyVerifierResultProto.newBuilder()
                .setIsSupported(true)
                .setResultMessage(Thread.currentThread().getName()))
        .build();
  }

  public RpcServer start(RpcServerOptions options) throws IOException {
    return RpcServer.start(options, List.of(protocol()));
  }
}
