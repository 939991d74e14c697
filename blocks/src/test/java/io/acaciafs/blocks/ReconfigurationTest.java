package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Settings that change while a NameNode serves. */
class ReconfigurationTest extends RepairTestBase {
  private static final String MIN_BLOCKS = "dfs.namenode.block-placement.min-blocks-for.write";
  private static final String PENDING = "dfs.namenode.reconstruction.pending.timeout-sec";

  private int lastBlock;

  private int targets() throws Exception {
    BlockRequest request = request(++lastBlock, "10.0.1.1", EnumSet.noneOf(AddBlockFlag.class));
    return run(tx -> manager.allocate(tx, request)).getLocations().length;
  }

  @Test
  void roomForSeveralBlocks() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1");
    node.remainingBytes = 2 * BLOCK_SIZE;
    node.start();
    assertThat(targets()).isEqualTo(1);
    conf.setInt(MIN_BLOCKS, 5);
    manager.reconfiguration().apply(conf);
    assertThatThrownBy(this::targets)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could only be written to 0 of the 1 minReplication nodes");
    conf.setInt(MIN_BLOCKS, 1);
    manager.reconfiguration().apply(conf);
    assertThat(targets()).isEqualTo(1);
  }

  @Test
  void howLongACopyIsWaitedFor() throws Exception {
    conf.setInt(PENDING, 20);
    manager.reconfiguration().apply(conf);
    List<FakeDatanode> nodes = nodes(4);
    write(1, nodes.get(0), nodes.get(1), nodes.get(2));
    killAllBut(array(nodes.subList(1, 4)));
    assertThat(copies(array(nodes.subList(1, 4)))).hasSize(1);
    clock.advance(Duration.ofSeconds(19));
    manager.repairNow();
    assertThat(copies(array(nodes.subList(1, 4)))).isEmpty();
    clock.advance(Duration.ofSeconds(2));
    manager.repairNow();
    manager.repairNow();
    assertThat(copies(array(nodes.subList(1, 4)))).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {MIN_BLOCKS, PENDING, "dfs.namenode.replication.work.multiplier.per.iteration"})
  void whatMakesNoSenseIsRefusedInHdfsWords(String property) {
    assertThat(Reconfiguration.properties()).contains(property);
    conf.setInt(property, 0);
    assertThatThrownBy(() -> manager.reconfiguration().apply(conf))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            property + " = '0' is invalid. It should be a positive, non-zero integer value.");
  }
}
