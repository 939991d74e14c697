package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Test;

/** The disks of a DataNode were emptied: it comes with a new uuid, at the same address. */
class ReplacedDatanodeTest extends BlockTestBase {
  @Test
  void takesThePlaceOfTheOneBefore() throws Exception {
    FakeDatanode old = node("old", "10.0.1.1").start();
    FakeDatanode other = node("other", "10.0.1.2").start();
    Block block = write(1, old, other);
    FakeDatanode fresh = node("fresh", "10.0.1.1").start();

    assertThat(listed()).containsExactly("uuid-fresh", "uuid-other");
    assertThat(places(block)).containsExactly("uuid-other"); // at once
    manager.repairNow();
    manager.repairNow();
    assertThat(other.toCopy()).containsExactly(new Copy(block, List.of("uuid-fresh")));

    restart(fresh, other);
    fresh.heartbeat(false);
    other.heartbeat(false);
    assertThat(listed()).containsExactly("uuid-fresh", "uuid-other");
    assertThat(allocate(2, 2).getLocations()).hasSize(2);
  }

  @Test
  void eachOfManyTakesThePlaceOfTheLast() throws Exception {
    for (int i = 0; i < 5; i++) {
      node("dn" + i, "10.0.1.1").start();
    }
    assertThat(listed()).containsExactly("uuid-dn4");
  }

  @Test
  void oneThatComesBackIsItselfAgain() throws Exception {
    FakeDatanode old = node("old", "10.0.1.1").start();
    Block block = write(1, old);
    node("fresh", "10.0.1.1").start();
    manager.repairNow();
    assertThat(places(block)).isEmpty();

    old.start();
    old.reportAll(block);
    assertThat(listed()).containsExactly("uuid-old");
    assertThat(places(block)).containsExactly("uuid-old");
    restart(old);
    old.heartbeat(false);
    assertThat(listed()).containsExactly("uuid-old");
  }

  @Test
  void twoOnOneHostAreTwo() throws Exception {
    node("dn1", "10.0.1.1").start();
    FakeDatanode second = node("dn2", "10.0.1.1");
    second.xferPort = 9966;
    second.start();
    assertThat(listed()).containsExactly("uuid-dn1", "uuid-dn2");
  }

  private List<String> listed() {
    return Arrays.stream(manager.datanodeReport(DatanodeReportType.ALL))
        .map(DatanodeInfo::getDatanodeUuid)
        .sorted()
        .toList();
  }
}
