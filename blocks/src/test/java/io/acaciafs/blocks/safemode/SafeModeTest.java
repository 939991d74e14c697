package io.acaciafs.blocks.safemode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

class SafeModeTest extends RepairTestBase {
  @Override
  protected void configure() {
    conf.setInt("dfs.namenode.safemode.extension", 0);
  }

  @Test
  void replicasAreNeitherCopiedNorDeleted() throws Exception {
    List<FakeDatanode> nodes = nodes(4);
    Block lost = write(1, nodes.get(0), nodes.get(1));
    Block removed = write(2, nodes.get(1));
    remove(removed);
    manager.safeMode().enter();

    killAllBut(array(nodes.subList(1, 4)));

    for (FakeDatanode node : nodes.subList(1, 4)) {
      assertThat(node.heartbeat(true).getCommands()).isEmpty();
    }
    manager.safeMode().leave();
    manager.repairNow();
    assertThat(nodes.get(1).heartbeat(false).getCommands()).hasSize(2);
    assertThat(places(lost)).containsExactly("uuid-dn2");
  }

  @Test
  void surplusReplicasStay() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, array(nodes));
    manager.safeMode().enter();
    setReplication(block, 1);
    manager.repairNow();
    assertThat(places(block)).hasSize(2);

    manager.safeMode().leave();
    manager.repairNow();
    assertThat(places(block)).hasSize(1);
  }

  @Test
  void isOffAtTheStartUnlessAskedFor() throws Exception {
    write(1, nodes(1).get(0));
    restart();
    assertThat(manager.safeMode().isOn()).isFalse();
  }

  @Test
  void startsInSafeModeUntilBlocksCanBeRead() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    write(1, nodes.get(0), nodes.get(1));
    write(2, nodes.get(2));
    conf.setFloat("dfs.namenode.safemode.threshold-pct", 1);
    restart(array(nodes));

    assertThat(manager.safeMode().isStartup()).isTrue();
    assertThat(manager.safeMode().tip())
        .startsWith(
            "The reported blocks 0 needs additional 2 blocks to reach the threshold 1.0000 of total"
                + " blocks 2.")
        .endsWith(
            "The minimum number of live datanodes is not required. Safe mode will be turned off"
                + " automatically once the thresholds have been reached.");
    nodes.get(0).heartbeat(false);
    look("The reported blocks 1 needs additional 1 blocks");
    nodes.get(2).heartbeat(false);
    assertOver();
  }

  @Test
  void startsInSafeModeUntilEnoughDataNodesAreLive() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    conf.setInt("dfs.namenode.safemode.min.datanodes", 2);
    restart(array(nodes));

    nodes.get(0).heartbeat(false);
    look("The number of live datanodes 1 needs an additional 1 live datanodes");
    nodes.get(1).heartbeat(false);
    assertOver();
  }

  @Test
  void staysForTheExtension() throws Exception {
    List<FakeDatanode> nodes = nodes(1);
    write(1, nodes.get(0));
    conf.setFloat("dfs.namenode.safemode.threshold-pct", 1);
    conf.setInt("dfs.namenode.safemode.extension", 30_000);
    restart(array(nodes));

    nodes.get(0).heartbeat(false);
    look("In safe mode extension. Safe mode will be turned off automatically in 30 seconds.");
    clock.advance(Duration.ofSeconds(30));
    assertOver();
  }

  @Test
  void startWithoutBlocksIsOverAtOnce() throws Exception {
    conf.setFloat("dfs.namenode.safemode.threshold-pct", 1);
    restart();
    assertThat(manager.safeMode().isOn()).isFalse();
  }

  @Test
  void administratorEndsTheStart() throws Exception {
    conf.setInt("dfs.namenode.safemode.min.datanodes", 9);
    restart();
    manager.safeMode().enter();
    assertThat(manager.safeMode().isStartup()).isFalse();
    assertThat(manager.safeMode().tip())
        .isEqualTo(
            "It was turned on manually. Use \"hdfs dfsadmin -safemode leave\" to turn safe mode"
                + " off.");
    manager.safeMode().leave();
    assertThat(manager.safeMode().isOn()).isFalse();
  }

  private void look(String part) {
    manager.safeMode().check();
    assertThat(manager.safeMode().tip()).contains(part);
  }

  private void assertOver() {
    manager.safeMode().check();
    assertThat(manager.safeMode().isOn()).isFalse();
  }
}
