package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A NameNode that only reads, on the rows that another one writes. */
class ObserverTest extends BlockTestBase {
  private BlockManager observer;

  @Override
  protected BlockManager newManager() {
    return newManager(NameNodes.alone(1));
  }

  @BeforeEach
  void observe() {
    observer = newManager(NameNodes.observer());
  }

  @AfterEach
  void end() {
    observer.close();
  }

  private List<String> observed(Block block) {
    return Arrays.stream(observer.locate(store, block, 0, false).getLocations())
        .map(DatanodeInfo::getDatanodeUuid)
        .sorted()
        .toList();
  }

  @Test
  void knowsTheDatanodesOfTheOneThatServes() throws Exception {
    FakeDatanode one = node("dn1", "10.0.1.1").start();
    FakeDatanode two = node("dn2", "10.0.1.2").start();
    Block block = write(11, one, two);
    assertThat(observed(block)).containsExactly(one.uuid(), two.uuid());
    assertThat(observer.liveDatanodes()).as("none has spoken to it").isZero();
    one.isHeardBy(observer);
    assertThat(observer.liveDatanodes()).isEqualTo(1);
  }

  @Test
  void namesNoDatanodeThatItHasNotHeardForLong() throws Exception {
    FakeDatanode one = node("dn1", "10.0.1.1").start();
    FakeDatanode two = node("dn2", "10.0.1.2").start();
    Block block = write(11, one, two);
    one.isHeardBy(observer);
    two.isHeardBy(observer);
    clock.advance(Duration.ofHours(1));
    one.isHeardBy(observer);
    assertThat(observed(block)).containsExactly(one.uuid());
    two.isHeardBy(observer);
    assertThat(observed(block)).containsExactly(one.uuid(), two.uuid());
  }

  @Test
  void followsChangesOfDatanodes() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    node.isHeardBy(observer);
    node.xferPort = 19866;
    node.start();
    observer.refreshDatanodes();
    DatanodeInfo[] seen = observer.datanodeReport(DatanodeReportType.ALL);
    assertThat(seen).hasSize(1);
    assertThat(seen[0].getXferPort()).isEqualTo(19866);
  }

  /** It would be the other one's word against its own. */
  @Test
  void writesNothing() throws IOException {
    FakeDatanode unknown = node("dn1", "10.0.1.1");
    unknown.isHeardBy(observer);
    observer.refreshDatanodes();
    assertThat(observer.datanodeReport(DatanodeReportType.ALL)).isEmpty();
    assertThat(store.get(BlockKeys.datanode(unknown.uuid()))).isNull();
  }
}
