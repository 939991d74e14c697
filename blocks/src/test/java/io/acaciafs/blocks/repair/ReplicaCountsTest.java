package io.acaciafs.blocks.repair;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.datanode.NodeChanges;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
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

  /** Thousands of DataNodes behind a start do not hold up the thread that counts. */
  @Test
  void aLookCountsSomeAndTheNextOnesTheRest() throws Exception {
    List<FakeDatanode> nodes = nodes(5);
    write(1, nodes.toArray(FakeDatanode[]::new));
    TransactionRunner runner = new TransactionRunner(store, executor, new Random(1));
    NodeChanges changes = new NodeChanges(NameNodes.alone());
    Ownership ownership = new Ownership(NameNodes.alone(), runner, changes);
    DatanodeRegistry registry =
        new DatanodeRegistry(runner, clock, changes, ownership, new NodeVersion());
    ReplicaCounts counts = new ReplicaCounts(new SlowReader(), registry, ownership, clock);

    counts.look();
    assertThat(counted(registry)).isEqualTo(2);
    counts.look();
    assertThat(counted(registry)).isEqualTo(2); // it rests
    clock.advance(Duration.ofSeconds(4));
    counts.look();
    assertThat(counted(registry)).isEqualTo(4);
    clock.advance(Duration.ofSeconds(4));
    counts.look();
    assertThat(counted(registry)).isEqualTo(5);
  }

  private static int counted(DatanodeRegistry registry) {
    return registry.view().datanodes().stream()
        .flatMap(datanode -> datanode.storages().stream())
        .mapToInt(Storage::numBlocks)
        .sum();
  }

  /** Takes 30 ms for a scan. */
  private final class SlowReader implements Reader {
    @Override
    public byte[] get(Key key) {
      return store.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      clock.advance(Duration.ofMillis(30));
      return store.scan(range);
    }
  }

  private List<Integer> counts() {
    manager.repairNow();
    return Arrays.stream(manager.datanodeReport(DatanodeReportType.ALL))
        .map(DatanodeInfo::getNumBlocks)
        .toList();
  }
}
