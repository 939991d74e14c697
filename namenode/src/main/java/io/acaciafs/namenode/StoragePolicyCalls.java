package io.acaciafs.namenode;

import io.acaciafs.namespace.op.GetStoragePolicy;
import io.acaciafs.namespace.op.SetStoragePolicy;
import io.acaciafs.rpc.RpcCall;
import io.acaciafs.rpc.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.BlockStoragePolicy;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePoliciesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePoliciesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.UnsetStoragePolicyResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Calls about storage policies. */
final class StoragePolicyCalls {
  private final Answers answers;

  StoragePolicyCalls(Answers answers) {
    this.answers = answers;
  }

  void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("setStoragePolicy", SetStoragePolicyRequestProto.class, this::set)
        .asyncMethod("unsetStoragePolicy", UnsetStoragePolicyRequestProto.class, this::unset)
        .asyncMethod("getStoragePolicy", GetStoragePolicyRequestProto.class, this::get)
        .method("getStoragePolicies", GetStoragePoliciesRequestProto.class, this::all);
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
}
