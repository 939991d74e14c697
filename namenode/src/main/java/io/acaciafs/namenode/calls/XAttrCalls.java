package io.acaciafs.namenode.calls;

import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namespace.op.attribute.GetXAttrs;
import io.acaciafs.namespace.op.attribute.ListXAttrs;
import io.acaciafs.namespace.op.attribute.RemoveXAttr;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.GetXAttrsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.ListXAttrsRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.ListXAttrsResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.RemoveXAttrResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.XAttrProtos.SetXAttrResponseProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Calls about extended attributes. */
public final class XAttrCalls {
  private final Answers answers;

  public XAttrCalls(Answers answers) {
    this.answers = answers;
  }

  public void register(RpcProtocol.Builder protocol) {
    protocol
        .asyncMethod("setXAttr", SetXAttrRequestProto.class, this::setXAttr)
        .asyncMethod("getXAttrs", GetXAttrsRequestProto.class, this::getXAttrs)
        .asyncMethod("listXAttrs", ListXAttrsRequestProto.class, this::listXAttrs)
        .asyncMethod("removeXAttr", RemoveXAttrRequestProto.class, this::removeXAttr);
  }

  private CompletableFuture<SetXAttrResponseProto> setXAttr(
      RpcCall call, SetXAttrRequestProto request) {
    return answers.done(
        call,
        new SetXAttr(
            request.getSrc(),
            PBHelperClient.convertXAttr(request.getXAttr()),
            PBHelperClient.convert(request.getFlag())),
        SetXAttrResponseProto.getDefaultInstance());
  }

  private CompletableFuture<GetXAttrsResponseProto> getXAttrs(
      RpcCall call, GetXAttrsRequestProto request) {
    return answers.of(
        call,
        new GetXAttrs(request.getSrc(), PBHelperClient.convertXAttrs(request.getXAttrsList())),
        PBHelperClient::convertXAttrsResponse);
  }

  private CompletableFuture<ListXAttrsResponseProto> listXAttrs(
      RpcCall call, ListXAttrsRequestProto request) {
    return answers.of(
        call, new ListXAttrs(request.getSrc()), PBHelperClient::convertListXAttrsResponse);
  }

  private CompletableFuture<RemoveXAttrResponseProto> removeXAttr(
      RpcCall call, RemoveXAttrRequestProto request) {
    return answers.done(
        call,
        new RemoveXAttr(request.getSrc(), PBHelperClient.convertXAttr(request.getXAttr())),
        RemoveXAttrResponseProto.getDefaultInstance());
  }
}
