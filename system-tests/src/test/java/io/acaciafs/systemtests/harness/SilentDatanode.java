package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.net.InetSocketAddress;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.BlockListAsLongs;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeRegistrationProto;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolClientSideTranslatorPB;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.datanode.DataStorage;
import org.apache.hadoop.hdfs.server.protocol.BlockReportContext;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.HeartbeatResponse;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageBlockReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.util.VersionInfo;

/**
 * A DataNode without disks or threads that has the same ids at each NameNode. It registers, reports
 * no blocks, and has the blocks that the test gives it. It sends one heartbeat; the clusters'
 * settings need no further ones.
 */
public final class SilentDatanode implements AutoCloseable {
  private static final String DATANODE_ID = "11111111-2222-3333-4444-555555555555";
  private static final DatanodeStorage STORAGE =
      new DatanodeStorage("DS-66666666-7777-8888-9999-aaaaaaaaaaaa");
  // no round numbers, so that it shows where one side rounds
  private static final long CAPACITY_BYTES = 541_100_000_000L;
  private static final long USED_BYTES = 700_000_000;
  private static final long USED_BY_POOL_BYTES = 600_000_000;
  private static final long USED_BY_OTHERS_BYTES = 3_000_000_000L;
  private static final int XCEIVERS = 7;
  private static final int FIRST_PORT = 51_000;

  private final DatanodeProtocolClientSideTranslatorPB nameNode;
  private final DatanodeRegistration registration;
  private final String blockPool;

  public SilentDatanode(int port, Configuration conf) throws IOException {
    nameNode =
        new DatanodeProtocolClientSideTranslatorPB(new InetSocketAddress("127.0.0.1", port), conf);
    NamespaceInfo namespace = nameNode.versionRequest();
    blockPool = namespace.getBlockPoolID();
    registration =
        nameNode.registerDatanode(
            new DatanodeRegistration(
                new DatanodeID(
                    "127.0.0.1",
                    "localhost",
                    DATANODE_ID,
                    FIRST_PORT,
                    FIRST_PORT + 1,
                    FIRST_PORT + 2,
                    FIRST_PORT + 3),
                new DataStorage(namespace),
                new ExportedBlockKeys(),
                VersionInfo.getVersion()));
    registration.setNamespaceInfo(namespace);
    HeartbeatResponse response =
        nameNode.sendHeartbeat(
            registration,
            new StorageReport[] {
              new StorageReport(
                  STORAGE,
                  false,
                  CAPACITY_BYTES,
                  USED_BYTES,
                  CAPACITY_BYTES - USED_BYTES - USED_BY_OTHERS_BYTES,
                  USED_BY_POOL_BYTES,
                  USED_BY_OTHERS_BYTES)
            },
            0,
            0,
            0,
            XCEIVERS,
            0,
            null,
            true,
            SlowPeerReports.EMPTY_REPORT,
            SlowDiskReports.EMPTY_REPORT);
    nameNode.blockReport(
        registration,
        blockPool,
        new StorageBlockReport[] {new StorageBlockReport(STORAGE, BlockListAsLongs.EMPTY)},
        new BlockReportContext(1, 0, 1, response.getFullBlockReportLeaseId()));
  }

  /** The NameNode knows, when this returns, that the block is here. */
  public void receive(Block block) throws IOException {
    report(block, BlockStatus.RECEIVED_BLOCK);
  }

  /** As after somebody has removed its file. */
  public void lose(Block block) throws IOException {
    report(block, BlockStatus.DELETED_BLOCK);
  }

  private void report(Block block, BlockStatus status) throws IOException {
    ReceivedDeletedBlockInfo[] received = {new ReceivedDeletedBlockInfo(block, status, null)};
    nameNode.blockReceivedAndDeleted(
        registration,
        blockPool,
        new StorageReceivedDeletedBlocks[] {new StorageReceivedDeletedBlocks(STORAGE, received)});
  }

  /** As DataNodes send it along. */
  public DatanodeRegistrationProto registration() {
    return PBHelper.convert(registration);
  }

  @Override
  public void close() throws IOException {
    nameNode.close();
  }
}
