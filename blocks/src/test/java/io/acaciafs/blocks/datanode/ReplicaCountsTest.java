package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.junit.jupiter.api.Test;

/** How many blocks a DataNode has, by all reports. */
class ReplicaCountsTest extends BlockTestBase {
  @Test
  void followsWhatComesAndGoes() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    assertThat(counts()).containsExactly(0, 0);
    Block both = write(1, nodes.get(0), nodes.get(1));
    write(2, nodes.get(0));
    assertThat(counts()).containsExactly(2, 1);

    remove(both);
    nodes.get(0).deleted(both);
    nodes.get(1).deleted(both);
    assertThat(counts()).containsExactly(1, 0);
  }

  @Test
  void isKnownAgainAfterARestart() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    write(1, node);
    write(2, node);
    restart(node);
    node.heartbeat(false);
    assertThat(counts()).containsExactly(2);
    assertThat(manager.datanodeStorageReport(DatanodeReportType.ALL)[0].getDatanodeInfo())
        .extracting(DatanodeInfo::getNumBlocks)
        .isEqualTo(2);
  }

  @Test
  void replicaThatMovesToAnotherStorageCountsOnce() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").withStorage(StorageType.SSD).start();
    Block block = write(1, node);
    node.tell(1, BlockStatus.RECEIVED_BLOCK, block);
    assertThat(counts()).containsExactly(1);
  }

  private List<Integer> counts() {
    manager.repairNow();
    return Arrays.stream(manager.datanodeReport(DatanodeReportType.ALL))
        .map(DatanodeInfo::getNumBlocks)
        .toList();
  }
}
