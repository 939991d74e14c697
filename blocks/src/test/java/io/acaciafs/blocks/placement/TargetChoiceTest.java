package io.acaciafs.blocks.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.junit.jupiter.api.Test;

/** What a site and a writer may say of the targets of new blocks. */
class TargetChoiceTest extends BlockTestBase {
  private static final int TRIES = 30;

  private int lastBlock;

  /** The nodes that get the only replica of blocks that the first node writes. */
  private Set<String> targets(AddBlockFlag... flags) throws Exception {
    Set<String> uuids = new HashSet<>();
    for (int i = 0; i < TRIES; i++) {
      EnumSet<AddBlockFlag> all = EnumSet.noneOf(AddBlockFlag.class);
      all.addAll(List.of(flags));
      BlockRequest request = request(++lastBlock, "10.0.1.1", all);
      uuids.add(run(tx -> manager.allocate(tx, request)).getLocations()[0].getDatanodeUuid());
    }
    return uuids;
  }

  @Test
  void writersGetTheirOwnNodeUnlessTheyAskForAnother() throws Exception {
    nodes(3);
    assertThat(targets()).containsExactly("uuid-dn1");
    assertThat(targets(AddBlockFlag.NO_LOCAL_WRITE))
        .containsExactlyInAnyOrder("uuid-dn2", "uuid-dn3");
    assertThat(targets(AddBlockFlag.IGNORE_CLIENT_LOCALITY)).hasSize(3);
  }

  @Test
  void siteMayPreferAnyNodeOfTheRack() throws Exception {
    conf.setBoolean("dfs.namenode.block-placement-policy.default.prefer-local-node", false);
    restart();
    nodes(3);
    assertThat(targets()).hasSize(3);
  }

  @Test
  void siteMayWantRoomForSeveralBlocks() throws Exception {
    FakeDatanode node = node("dn1", "10.0.1.1");
    node.remainingBytes = 2 * BLOCK_SIZE;
    node.start();
    assertThat(targets()).hasSize(1);
    conf.setInt("dfs.namenode.block-placement.min-blocks-for.write", 5);
    restart(node);
    node.heartbeat(false);
    assertThatThrownBy(this::targets)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("could only be written to 0 of the 1 minReplication nodes");
  }
}
