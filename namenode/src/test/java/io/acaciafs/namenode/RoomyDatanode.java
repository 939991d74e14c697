package io.acaciafs.namenode;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;

/** A DataNode of the current user that has room, to which clients are sent; nobody listens. */
final class RoomyDatanode implements AutoCloseable {
  static final DatanodeID LOCALHOST = new DatanodeID("127.0.0.1", "localhost", "uuid", 1, 2, 3, 4);

  private final DatanodeProtocolClientSideTranslatorPB protocol;
  private final DatanodeStorage storage;
  private final DatanodeRegistration registration;

  /** Registers, and tells of its room. */
  RoomyDatanode(InetSocketAddress nameNode, Configuration conf, DatanodeID id, String storageId)
      throws IOException {
    protocol = new DatanodeProtocolClientSideTranslatorPB(nameNode, conf);
    storage = new DatanodeStorage(storageId);
    NamespaceInfo namespace = protocol.versionRequest();
    registration =
        protocol.registerDatanode(
            new DatanodeRegistration(
                id, new DataStorage(namespace), new ExportedBlockKeys(), "3.5.0"));
    registration.setNamespaceInfo(namespace);
    protocol.sendHeartbeat(
        registration,
        new StorageReport[] {new StorageReport(storage, false, 1L << 40, 0, 1L << 40, 0, 0)},
        0,
        0,
        0,
        0,
        0,
        null,
        false,
        SlowPeerReports.EMPTY_REPORT,
        SlowDiskReports.EMPTY_REPORT);
  }

  /** As if a client had written it. */
  void received(ExtendedBlock block) throws IOException {
    protocol.blockReceivedAndDeleted(
        registration,
        block.getBlockPoolId(),
        new StorageReceivedDeletedBlocks[] {
          new StorageReceivedDeletedBlocks(
              storage,
              new ReceivedDeletedBlockInfo[] {
                new ReceivedDeletedBlockInfo(
                    block.getLocalBlock(), BlockStatus.RECEIVED_BLOCK, null)
              })
        });
  }

  @Override
  public void close() throws IOException {
    protocol.close();
  }
}
