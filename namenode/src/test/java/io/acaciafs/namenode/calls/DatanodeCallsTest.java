package io.acaciafs.namenode.calls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.Faults;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.reply.SafeModeGuard;
import java.io.IOException;
import java.time.Clock;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.BlockReceivedAndDeletedRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.DatanodeCommandProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.StorageReceivedDeletedBlocksProto;
import org.apache.hadoop.hdfs.protocolPB.PBHelper;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a heartbeat's answer tells of keys of block tokens, and of reports that are missed. */
class DatanodeCallsTest {
  private static final String NODE = "uuid-1";

  private final MemoryStore store = new MemoryStore(Faults.none());
  private final ScheduledExecutorService executor =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "datanode-calls-test"));
  private final ClusterIdentity identity =
      new ClusterIdentity(77, "CID-test", "BP-1-10.0.0.1-1", 0);
  private BlockManager blocks;
  private HeartbeatRequestProto heartbeat;

  @BeforeEach
  void register() {
    Configuration conf = new Configuration(false);
    conf.setBoolean("dfs.block.access.token.enable", true);
    conf.setBoolean("dfs.namenode.datanode.registration.ip-hostname-check", false);
    blocks =
        new BlockManager(
            identity,
            new BlockContext(
                new TransactionRunner(store, executor, new Random(1)),
                identity.blockPoolId(),
                conf,
                Clock.systemUTC(),
                Clock.systemUTC(),
                new Random(2),
                executor),
            FilePolicies.NONE,
            NameNodes.alone());
    DatanodeRegistration node =
        new DatanodeRegistration(
            new DatanodeID("127.0.0.1", "127.0.0.1", NODE, 9866, 9864, 9865, 9867),
            new StorageInfo(-57, 77, "CID-test", 0, NodeType.DATA_NODE),
            new ExportedBlockKeys(),
            "3.5.0");
    blocks.register(node, "127.0.0.1").join();
    heartbeat =
        HeartbeatRequestProto.newBuilder()
            .setRegistration(PBHelper.convert(node))
            .setXceiverCount(7)
            .build();
  }

  @AfterEach
  void close() {
    blocks.close();
    store.close();
    executor.shutdownNow();
  }

  private DatanodeCalls calls(Store commits) {
    return new DatanodeCalls(
        blocks,
        commits,
        1 << 20,
        new SafeModeGuard(blocks.safeMode(), "host", (call, request) -> {}));
  }

  private List<DatanodeCommandProto.Type> told(DatanodeCalls calls) throws IOException {
    return calls.sendHeartbeat(null, heartbeat).join().getCmdsList().stream()
        .map(DatanodeCommandProto::getCmdType)
        .toList();
  }

  @Test
  void whatWasSaidToTheStandbyTakesNoKeysAway() throws IOException {
    DatanodeCalls calls = calls(store);
    calls.said().heartbeat(heartbeat);
    DatanodeInfo node = blocks.datanodeReport(DatanodeReportType.ALL)[0];
    assertThat(node.getXceiverCount()).as("of the heartbeat").isEqualTo(7);
    assertThat(told(calls)).containsExactly(DatanodeCommandProto.Type.KeyUpdateCommand);
    assertThat(told(calls)).isEmpty();
  }

  /** The DataNode was told that it is taken, and does not say it again. */
  @Test
  void whoseReportToTheStandbyCannotBeStoredIsAskedForAFullReport() throws IOException {
    try (MemoryStore answers = new MemoryStore(Faults.none())) {
      DatanodeCalls calls = calls(answers);
      told(calls); // the keys
      assertThat(told(calls)).isEmpty();
      store.close();
      assertThat(calls.said().report(report())).isCompletedExceptionally();
      assertThat(told(calls)).containsExactly(DatanodeCommandProto.Type.RegisterCommand);
    }
  }

  /** Names a disk that is not stored yet. */
  @SuppressWarnings("deprecation") // of a field that has to be set
  private BlockReceivedAndDeletedRequestProto report() {
    return BlockReceivedAndDeletedRequestProto.newBuilder()
        .setRegistration(heartbeat.getRegistration())
        .setBlockPoolId(identity.blockPoolId())
        .addBlocks(
            StorageReceivedDeletedBlocksProto.newBuilder()
                .setStorageUuid("DS-1")
                .setStorage(PBHelperClient.convert(new DatanodeStorage("DS-1"))))
        .build();
  }

  @Test
  void keysOfAnAnswerThatCouldNotBeSentGoWithTheNext() throws IOException {
    MemoryStore closed = new MemoryStore(Faults.none());
    closed.close();
    assertThatThrownBy(() -> told(calls(closed))).hasStackTraceContaining("The metadata store");
    assertThat(told(calls(store))).containsExactly(DatanodeCommandProto.Type.KeyUpdateCommand);
    assertThat(told(calls(store))).isEmpty();
  }
}
