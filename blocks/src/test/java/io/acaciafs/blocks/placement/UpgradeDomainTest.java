package io.acaciafs.blocks.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.FakeDatanode.Copy;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Upgrade domains of the JSON file of hosts, and the policy that places replicas by them. */
class UpgradeDomainTest extends RepairTestBase {
  private static final String POLICY =
      "org.apache.hadoop.hdfs.server.blockmanagement.BlockPlacementPolicyWithUpgradeDomain";

  @TempDir Path folder;
  private Path hosts;

  @Override
  protected void configure() {
    hosts = folder.resolve("hosts.json");
    conf.set(
        "dfs.namenode.hosts.provider.classname",
        "org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager");
    conf.set("dfs.hosts", hosts.toString());
    conf.set("dfs.block.replicator.classname", POLICY);
    domains("a", "a", "a", "b", "b", "c");
  }

  /** Of dn1 and the next ones. */
  private void domains(String... names) {
    try {
      Files.writeString(
          hosts,
          IntStream.range(0, names.length)
              .mapToObj(
                  i ->
                      "{\"hostName\": \"10.0.1.%d\", \"upgradeDomain\": \"%s\"}"
                          .formatted(i + 1, names[i]))
              .collect(Collectors.joining(",", "[", "]")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> domainsOf(DatanodeInfo[] nodes) {
    return Arrays.stream(nodes).map(DatanodeInfo::getUpgradeDomain).toList();
  }

  @Test
  void reportsTellTheDomains() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    assertThat(domainsOf(manager.datanodeReport(DatanodeReportType.LIVE)))
        .containsExactly("a", "a");

    domains("x", "y");
    manager.refreshNodes();
    assertThat(domainsOf(manager.datanodeReport(DatanodeReportType.LIVE)))
        .containsExactlyInAnyOrder("x", "y");

    restart(array(nodes));
    for (FakeDatanode node : nodes) {
      node.heartbeat(false);
    }
    assertThat(domainsOf(manager.datanodeReport(DatanodeReportType.LIVE)))
        .containsExactlyInAnyOrder("x", "y");
  }

  @Test
  void replicasOfABlockAreInThreeDomains() throws Exception {
    nodes(6);
    for (int block = 1; block <= 30; block++) {
      assertThat(domainsOf(allocate(block, 3).getLocations()))
          .containsExactlyInAnyOrder("a", "b", "c");
    }
    assertThat(allocate(31, 5).getLocations()).hasSize(5);
  }

  @Test
  void theFactorSaysHowMany() throws Exception {
    conf.setInt("dfs.namenode.upgrade.domain.factor", 2);
    domains("a", "a", "a", "b");
    restart();
    nodes(4);
    for (int block = 1; block <= 20; block++) {
      assertThat(domainsOf(allocate(block, 3).getLocations())).contains("a", "b").hasSize(3);
    }
  }

  @Test
  void fewerDomainsHaveFewerReplicas() throws Exception {
    domains("a", "a", "b", "b");
    restart();
    nodes(4);
    assertThat(domainsOf(allocate(1, 3).getLocations())).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void nodesWithoutADomainAreEachAlone() throws Exception {
    Files.writeString(
        hosts,
        "[{\"hostName\": \"10.0.1.1\"}, {\"hostName\": \"10.0.1.2\"}, {\"hostName\":"
            + " \"10.0.1.3\"}]");
    restart();
    nodes(3);
    assertThat(allocate(1, 3).getLocations()).hasSize(3);
  }

  @Test
  void aBlockInTooFewDomainsIsSpreadAndTheRightReplicaGoes() throws Exception {
    domains("a", "a", "b", "c");
    conf.unset("dfs.block.replicator.classname");
    restart();
    List<FakeDatanode> nodes = nodes(4);
    Block block = write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    conf.set("dfs.block.replicator.classname", POLICY);
    restart(array(nodes));
    for (FakeDatanode node : nodes) {
      node.start();
      node.reportAll(places(block).contains(node.uuid()) ? new Block[] {block} : new Block[0]);
    }
    setReplication(block, 2);
    setReplication(block, 3); // it is looked at
    assertThat(queueOf(block)).isEqualTo(RepairQueue.BADLY_DISTRIBUTED);

    manager.repairNow();
    assertThat(copies(array(nodes))).containsExactly(new Copy(block, List.of("uuid-dn4")));
    nodes.get(3).received(block);
    clock.advance(Duration.ofSeconds(30));
    manager.repairNow();
    assertThat(places(block)).hasSize(3).contains("uuid-dn3", "uuid-dn4");
    List<Block> deleted = new ArrayList<>(nodes.get(0).toDelete());
    deleted.addAll(nodes.get(1).toDelete());
    assertThat(deleted).containsExactly(block);
  }

  @Test
  void anUnknownPolicyIsRefused() {
    conf.set("dfs.block.replicator.classname", "com.example.Policy");
    assertThatThrownBy(this::newManager).hasMessageContaining("com.example.Policy");
  }
}
