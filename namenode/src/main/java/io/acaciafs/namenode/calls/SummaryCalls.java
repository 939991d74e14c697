package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.quota.GetContentSummary;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SummaryStart;
import io.acaciafs.namespace.summary.SubtreeCounter;
import io.acaciafs.namespace.summary.SubtreeTotals;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetContentSummaryRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetContentSummaryResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetQuotaUsageResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.ipc.RetriableException;

/**
 * Calls that count what is below a path: the path is followed at once, the rest is the counter's.
 */
public final class SummaryCalls {
  private final Answers answers;
  private final SubtreeCounter counter;

  public SummaryCalls(Answers answers, SubtreeCounter counter) {
    this.answers = answers;
    this.counter = counter;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod(
            "getContentSummary", GetContentSummaryRequestProto.class, this::getContentSummary)
        .asyncMethod("getQuotaUsage", GetQuotaUsageRequestProto.class, this::getQuotaUsage);
  }

  private CompletableFuture<GetContentSummaryResponseProto> getContentSummary(
      RpcCall call, GetContentSummaryRequestProto request) {
    Caller caller = answers.callers().of(call);
    return Answers.inHdfsTerms(
            answers
                .namespace()
                .submit(caller, new GetContentSummary.Start(request.getPath()))
                .thenCompose(start -> count(caller, start)))
        .thenApply(
            summary ->
                GetContentSummaryResponseProto.newBuilder()
                    .setSummary(PBHelperClient.convert(summary))
                    .build());
  }

  private CompletableFuture<GetQuotaUsageResponseProto> getQuotaUsage(
      RpcCall call, GetQuotaUsageRequestProto request) {
    Caller caller = answers.callers().of(call);
    return Answers.inHdfsTerms(
            answers
                .namespace()
                .submit(caller, new GetQuotaUsage.Start(request.getPath()))
                .thenCompose(usage -> usage(caller, usage)))
        .thenApply(
            usage ->
                GetQuotaUsageResponseProto.newBuilder()
                    .setUsage(PBHelperClient.convert(usage))
                    .build());
  }

  private CompletableFuture<QuotaUsage> usage(Caller caller, GetQuotaUsage.Known usage) {
    return usage.known() != null
        ? CompletableFuture.completedFuture(usage.known())
        : count(caller, Objects.requireNonNull(usage.start(), "it is not known"))
            .thenApply(summary -> summary);
  }

  private CompletableFuture<ContentSummary> count(Caller caller, SummaryStart start) {
    if (start.top() == null) {
      return CompletableFuture.completedFuture(start.end().apply(SubtreeTotals.NONE));
    }
    try {
      return counter.count(caller, start.top()).thenApply(start.end());
    } catch (RejectedExecutionException e) {
      return CompletableFuture.failedFuture(
          new RetriableException("Too many directories are being counted, try again later"));
    }
  }
}
