package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.policy.GetStoragePolicy;
import io.acaciafs.namespace.op.policy.SetStoragePolicy;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SatisfyStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SatisfyStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.namenode.UnsupportedActionException;

/** Calls about storage policies. */
public final class StoragePolicyCalls {
  private final Answers answers;

  public StoragePolicyCalls(Answers answers) {
    this.answers = answers;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("setStoragePolicy", SetStoragePolicyRequestProto.class, this::set)
        .asyncMethod("unsetStoragePolicy", UnsetStoragePolicyRequestProto.class, this::unset)
        .asyncMethod("getStoragePolicy", GetStoragePolicyRequestProto.class, this::get)
        .method("getStoragePolicies", GetStoragePoliciesRequestProto.class, this::all)
        .method("satisfyStoragePolicy", SatisfyStoragePolicyRequestProto.class, this::satisfy);
  }

  private CompletableFuture<SetStoragePolicyResponseProto> set(
      RpcCall call, SetStoragePolicyRequestProto request) {
    return answers.done(
        call,
        new SetStoragePolicy(request.getSrc(), request.getPolicyName()),
        SetStoragePolicyResponseProto.getDefaultInstance());
  }

  private CompletableFuture<UnsetStoragePolicyResponseProto> unset(
      RpcCall call, UnsetStoragePolicyRequestProto request) {
    return answers.done(
        call,
        new SetStoragePolicy(request.getSrc(), null),
        UnsetStoragePolicyResponseProto.getDefaultInstance());
  }

  private CompletableFuture<GetStoragePolicyResponseProto> get(
      RpcCall call, GetStoragePolicyRequestProto request) {
    return answers.of(
        call,
        new GetStoragePolicy(request.getPath()),
        policy ->
            GetStoragePolicyResponseProto.newBuilder()
                .setStoragePolicy(PBHelperClient.convert(policy))
                .build());
  }

  private GetStoragePoliciesResponseProto all(
      RpcCall call, GetStoragePoliciesRequestProto request) {
    GetStoragePoliciesResponseProto.Builder reply = GetStoragePoliciesResponseProto.newBuilder();
    for (BlockStoragePolicy policy :
        answers.namespace().settings().features().storagePolicies().all()) {
      reply.addPolicies(PBHelperClient.convert(policy));
    }
    return reply.build();
  }

  /** As HDFS where dfs.storage.policy.satisfier.mode is none, its default. */
  private SatisfyStoragePolicyResponseProto satisfy(
      RpcCall call, SatisfyStoragePolicyRequestProto request) throws IOException {
    if (!answers.namespace().settings().features().storagePolicyAccess().enabled()) {
      throw new IOException(
          "Failed to satisfy storage policy since dfs.storage.policy.enabled is set to false.");
    }
    throw new UnsupportedActionException(
        "Cannot request to satisfy storage policy when storage policy satisfier feature has been"
            + " disabled by admin. Seek for an admin help to enable it or use Mover tool.");
  }
}
