package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.attribute.GetAclStatus;
import io.acaciafs.namespace.op.attribute.ModifyAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveAcl;
import io.acaciafs.namespace.op.attribute.RemoveAclEntries;
import io.acaciafs.namespace.op.attribute.RemoveDefaultAcl;
import io.acaciafs.namespace.op.attribute.SetAcl;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.permission.AclStatus;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.GetAclStatusRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.GetAclStatusResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.ModifyAclEntriesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclEntriesResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveAclResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.RemoveDefaultAclResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.AclProtos.SetAclResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Calls about ACLs. */
public final class AclCalls {
  private final Answers answers;

  public AclCalls(Answers answers) {
    this.answers = answers;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("modifyAclEntries", ModifyAclEntriesRequestProto.class, this::modifyAclEntries)
        .asyncMethod("removeAclEntries", RemoveAclEntriesRequestProto.class, this::removeAclEntries)
        .asyncMethod("removeDefaultAcl", RemoveDefaultAclRequestProto.class, this::removeDefaultAcl)
        .asyncMethod("removeAcl", RemoveAclRequestProto.class, this::removeAcl)
        .asyncMethod("setAcl", SetAclRequestProto.class, this::setAcl)
        .asyncMethod("getAclStatus", GetAclStatusRequestProto.class, this::getAclStatus);
  }

  private CompletableFuture<ModifyAclEntriesResponseProto> modifyAclEntries(
      RpcCall call, ModifyAclEntriesRequestProto request) {
    return answers.done(
        call,
        new ModifyAclEntries(
            request.getSrc(), PBHelperClient.convertAclEntry(request.getAclSpecList())),
        ModifyAclEntriesResponseProto.getDefaultInstance());
  }

  private CompletableFuture<RemoveAclEntriesResponseProto> removeAclEntries(
      RpcCall call, RemoveAclEntriesRequestProto request) {
    return answers.done(
        call,
        new RemoveAclEntries(
            request.getSrc(), PBHelperClient.convertAclEntry(request.getAclSpecList())),
        RemoveAclEntriesResponseProto.getDefaultInstance());
  }

  private CompletableFuture<RemoveDefaultAclResponseProto> removeDefaultAcl(
      RpcCall call, RemoveDefaultAclRequestProto request) {
    return answers.done(
        call,
        new RemoveDefaultAcl(request.getSrc()),
        RemoveDefaultAclResponseProto.getDefaultInstance());
  }

  private CompletableFuture<RemoveAclResponseProto> removeAcl(
      RpcCall call, RemoveAclRequestProto request) {
    return answers.done(
        call, new RemoveAcl(request.getSrc()), RemoveAclResponseProto.getDefaultInstance());
  }

  private CompletableFuture<SetAclResponseProto> setAcl(RpcCall call, SetAclRequestProto request) {
    return answers.done(
        call,
        new SetAcl(request.getSrc(), PBHelperClient.convertAclEntry(request.getAclSpecList())),
        SetAclResponseProto.getDefaultInstance());
  }

  private CompletableFuture<GetAclStatusResponseProto> getAclStatus(
      RpcCall call, GetAclStatusRequestProto request) {
    return answers.of(
        call,
        new GetAclStatus(request.getSrc()),
        (AclStatus status) -> PBHelperClient.convert(status));
  }
}
