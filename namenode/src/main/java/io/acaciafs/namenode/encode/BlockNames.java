package io.acaciafs.namenode.encode;

import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.proto.HdfsProtos.ExtendedBlockProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;

/** Blocks as clients and DataNodes name them: with the pool, of which there is one. */
public record BlockNames(String blockPoolId) {
  /**
   * @throws IOException when it is a block of another cluster
   */
  public Block local(ExtendedBlockProto named) throws IOException {
    if (!named.getPoolId().equals(blockPoolId)) {
      throw new IOException(
          "Unexpected BlockPoolId " + named.getPoolId() + " - expected " + blockPoolId);
    }
    return PBHelperClient.convert(named).getLocalBlock();
  }
}
