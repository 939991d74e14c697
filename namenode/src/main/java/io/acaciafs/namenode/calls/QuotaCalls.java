package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetQuotaRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.SetQuotaResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Calls about quotas. */
public final class QuotaCalls {
  private final Answers answers;
  private final Executor longOperations;

  /**
   * @param longOperations runs what may walk a whole subtree
   */
  public QuotaCalls(Answers answers, Executor longOperations) {
    this.answers = answers;
    this.longOperations = longOperations;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol.asyncMethod("setQuota", SetQuotaRequestProto.class, this::setQuota);
  }

  private CompletableFuture<SetQuotaResponseProto> setQuota(
      RpcCall call, SetQuotaRequestProto request) {
    SetQuota operation = operation(request);
    return CompletableFuture.supplyAsync(
            () -> answers.done(call, operation, SetQuotaResponseProto.getDefaultInstance()),
            longOperations)
        .thenCompose(reply -> reply);
  }

  static SetQuota operation(SetQuotaRequestProto request) {
    return new SetQuota(
        request.getPath(),
        request.getNamespaceQuota(),
        request.getStoragespaceQuota(),
        request.hasStorageType()
            ? PBHelperClient.convertStorageType(request.getStorageType())
            : null);
  }
}
