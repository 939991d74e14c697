package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A mover has a replica moved to another storage of its DataNode. */
class MovedReplicaTest extends BlockTestBase {
  private FakeDatanode node;
  private Block block;

  @BeforeEach
  void write() throws Exception {
    node = node("dn1", "10.0.1.1").withStorage(StorageType.SSD).start();
    block = write(1, node);
    assertThat(storages()).containsExactly(node.storage(0));
  }

  @Test
  void countsWhenItIsReported() throws Exception {
    node.tell(1, BlockStatus.RECEIVED_BLOCK, block);
    assertThat(storages()).containsExactly(node.storage(1));
    assertThat(node.toDelete()).isEmpty();
    assertThat(BlockRows.read(store, 1).repairState().isQueued()).isFalse();

    node.tell(0, BlockStatus.DELETED_BLOCK, block);
    assertThat(storages()).containsExactly(node.storage(1));
  }

  @Test
  void countsAlsoWhenTheOldOneIsReportedGoneFirst() throws Exception {
    node.tell(0, BlockStatus.DELETED_BLOCK, block);
    node.tell(1, BlockStatus.RECEIVED_BLOCK, block);
    assertThat(storages()).containsExactly(node.storage(1));
  }

  @Test
  void fullReportsOfBothStoragesChangeNothing() throws Exception {
    node.tell(1, BlockStatus.RECEIVED_BLOCK, block);
    node.report(1, List.of(FakeDatanode.replica(block, ReplicaState.FINALIZED)));
    node.reportAll();
    assertThat(storages()).containsExactly(node.storage(1));
  }

  private List<String> storages() {
    return List.of(locate(block).getStorageIDs());
  }
}
