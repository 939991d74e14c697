package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.rpc.RpcProtocol;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.HdfsServerProtos.VersionResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.NamenodeProtocolProtos.NamenodeProtocolService;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;

/** NamenodeProtocol: what other servers and HDFS's own tools ask a NameNode. */
final class PeerCalls {
  private PeerCalls() {}

  static RpcProtocol protocol(BlockManager blocks) {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.NamenodeProtocol",
            1,
            NamenodeProtocolService.newReflectiveBlockingService(null))
        .method(
            "versionRequest",
            VersionRequestProto.class,
            (call, request) ->
                VersionResponseProto.newBuilder()
                    .setInfo(PBHelper.convert(blocks.versionRequest()))
                    .build())
        .otherwise(
            (call, request) -> {
              throw NotYet.refusal(call.method());
            })
        .build();
  }
}
