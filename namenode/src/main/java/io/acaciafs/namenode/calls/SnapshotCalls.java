package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.NotYet;
import io.acaciafs.namespace.op.directory.RequireSnapshottable;
import io.acaciafs.namespace.op.directory.RequireSnapshottable.Use;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReport;
import org.apache.hadoop.hdfs.protocol.SnapshotDiffReportListing;
import org.apache.hadoop.hdfs.protocol.SnapshotStatus;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AllowSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.AllowSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.CreateSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DeleteSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DisallowSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.DisallowSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotDiffReportListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotDiffReportListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotDiffReportRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotDiffReportResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshotListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshottableDirListingRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.GetSnapshottableDirListingResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.RenameSnapshotResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.security.AccessControlException;

/**
 * Calls about snapshots, answered as by an HDFS without snapshottable directories. The call
 * allowSnapshot is not supported yet.
 */
public final class SnapshotCalls {
  private final Answers answers;

  public SnapshotCalls(Answers answers) {
    this.answers = answers;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .method(
            "getSnapshottableDirListing",
            GetSnapshottableDirListingRequestProto.class,
            (call, request) -> GetSnapshottableDirListingResponseProto.getDefaultInstance()) // none
        .method("allowSnapshot", AllowSnapshotRequestProto.class, this::allow)
        .asyncMethod("createSnapshot", CreateSnapshotRequestProto.class, this::create)
        .asyncMethod("renameSnapshot", RenameSnapshotRequestProto.class, this::rename)
        .asyncMethod("deleteSnapshot", DeleteSnapshotRequestProto.class, this::delete)
        .asyncMethod("disallowSnapshot", DisallowSnapshotRequestProto.class, this::disallow)
        .asyncMethod("getSnapshotListing", GetSnapshotListingRequestProto.class, this::list)
        .asyncMethod(
            "getSnapshotDiffReport", GetSnapshotDiffReportRequestProto.class, this::compare)
        .asyncMethod(
            "getSnapshotDiffReportListing",
            GetSnapshotDiffReportListingRequestProto.class,
            this::compareByPages);
  }

  private AllowSnapshotResponseProto allow(RpcCall call, AllowSnapshotRequestProto request)
      throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    throw NotYet.refusal(call.method());
  }

  private CompletableFuture<CreateSnapshotResponseProto> create(
      RpcCall call, CreateSnapshotRequestProto request) {
    return answers.done(
        call,
        new RequireSnapshottable(
            Use.CREATE, request.getSnapshotRoot(), "", request.getSnapshotName()),
        CreateSnapshotResponseProto.getDefaultInstance());
  }

  private CompletableFuture<RenameSnapshotResponseProto> rename(
      RpcCall call, RenameSnapshotRequestProto request) throws IOException {
    if (request.getSnapshotNewName().isEmpty()) {
      throw new IOException("The new snapshot name is null or empty.");
    }
    return answers.done(
        call,
        new RequireSnapshottable(
            Use.RENAME,
            request.getSnapshotRoot(),
            request.getSnapshotOldName(),
            request.getSnapshotNewName()),
        RenameSnapshotResponseProto.getDefaultInstance());
  }

  private CompletableFuture<DeleteSnapshotResponseProto> delete(
      RpcCall call, DeleteSnapshotRequestProto request) throws IOException {
    if (request.getSnapshotName().isEmpty()) {
      throw new IOException("The snapshot name is null or empty.");
    }
    return answers.done(
        call,
        new RequireSnapshottable(
            Use.DELETE, request.getSnapshotRoot(), request.getSnapshotName(), ""),
        DeleteSnapshotResponseProto.getDefaultInstance());
  }

  private CompletableFuture<DisallowSnapshotResponseProto> disallow(
      RpcCall call, DisallowSnapshotRequestProto request) throws AccessControlException {
    answers.callers().checkSuperuser(call, call.method());
    return answers.done(
        call,
        new RequireSnapshottable(Use.DISALLOW, request.getSnapshotRoot(), "", ""),
        DisallowSnapshotResponseProto.getDefaultInstance());
  }

  private CompletableFuture<GetSnapshotListingResponseProto> list(
      RpcCall call, GetSnapshotListingRequestProto request) {
    return answers.done(
        call,
        new RequireSnapshottable(Use.LIST, request.getSnapshotRoot(), "", ""),
        GetSnapshotListingResponseProto.newBuilder()
            .setSnapshotList(PBHelperClient.convert(new SnapshotStatus[0]))
            .build());
  }

  private CompletableFuture<GetSnapshotDiffReportResponseProto> compare(
      RpcCall call, GetSnapshotDiffReportRequestProto request) {
    String root = request.getSnapshotRoot();
    String from = request.getFromSnapshot();
    String to = request.getToSnapshot();
    return answers.done(
        call,
        new RequireSnapshottable(Use.COMPARE, root, from, to),
        GetSnapshotDiffReportResponseProto.newBuilder()
            .setDiffReport(
                PBHelperClient.convert(new SnapshotDiffReport(root, from, to, List.of())))
            .build());
  }

  private CompletableFuture<GetSnapshotDiffReportListingResponseProto> compareByPages(
      RpcCall call, GetSnapshotDiffReportListingRequestProto request) {
    return answers.done(
        call,
        new RequireSnapshottable(
            Use.COMPARE,
            request.getSnapshotRoot(),
            request.getFromSnapshot(),
            request.getToSnapshot()),
        GetSnapshotDiffReportListingResponseProto.newBuilder()
            .setDiffReport(PBHelperClient.convert(new SnapshotDiffReportListing()))
            .build());
  }
}
