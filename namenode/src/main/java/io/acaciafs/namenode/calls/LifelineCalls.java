package io.acaciafs.namenode.calls;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeLifelineProtocolProtos.DatanodeLifelineProtocolService;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeLifelineProtocolProtos.LifelineResponseProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;

/**
 * DatanodeLifelineProtocol: DataNodes whose heartbeats are late send lifelines, whose replies are
 * empty.
 */
public final class LifelineCalls {
  private final BlockManager blocks;

  public LifelineCalls(BlockManager blocks) {
    this.blocks = blocks;
  }

  public RpcProtocol protocol() {
    return RpcProtocol.builder(
            "org.apache.hadoop.hdfs.server.protocol.DatanodeLifelineProtocol",
            1,
            DatanodeLifelineProtocolService.newReflectiveBlockingService(null))
        .method("sendLifeline", HeartbeatRequestProto.class, this::sendLifeline)
        .build();
  }

  private LifelineResponseProto sendLifeline(RpcCall call, HeartbeatRequestProto request)
      throws IOException {
    Heartbeats.tell(request, blocks::lifeline);
    return LifelineResponseProto.getDefaultInstance();
  }
}
