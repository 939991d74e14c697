package io.acaciafs.blocks.datanode;

import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.thirdparty.protobuf.ByteString;

/**
 * A storage as clients are told of it, as of the last heartbeat of its DataNode. One serves many
 * replies and is used by many threads: copy it before changing it.
 */
public final class ReplicaPlace extends DatanodeInfoWithStorage {
  private final DatanodeInfo datanode;
  private final DatanodeStorage storage;
  private final ByteString message;

  ReplicaPlace(DatanodeInfo datanode, DatanodeStorage storage) {
    super(datanode, storage.getStorageID(), storage.getStorageType());
    this.datanode = datanode;
    this.storage = storage;
    this.message = PBHelperClient.convert(datanode).toByteString();
  }

  /** Whether it was made of these. */
  boolean isOf(DatanodeInfo otherDatanode, DatanodeStorage otherStorage) {
    return datanode == otherDatanode && storage == otherStorage;
  }

  /** HDFS's DatanodeInfoProto. */
  public ByteString message() {
    return message;
  }
}
