package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Reports with extreme numbers. */
class ExtremeReportsTest extends BlockTestBase {
  private static final long[] EXTREMES = {
    Long.MIN_VALUE, -1, 0, 1L << 48, 1L << 62, Long.MAX_VALUE
  };

  @Test
  void totalsDoNotTurnNegative() throws Exception {
    for (FakeDatanode node : nodes(3)) {
      node.remainingBytes = Long.MAX_VALUE - 1;
      node.heartbeat(false);
    }
    assertThat(manager.stats()[ClientProtocol.GET_STATS_REMAINING_IDX]).isEqualTo(Long.MAX_VALUE);
    assertThat(allocate(1, 3).getLocations()).hasSize(3);
  }

  @Test
  void lengthsOfOthersChangeNothingOfACommittedBlock() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    Block block = write(1, nodes.get(0));
    for (long length : EXTREMES) {
      nodes.get(1).received(new Block(1, length, GS));
      nodes.get(1).reportAll(new Block(1, length, GS));
      LocatedBlock located = locate(block);
      assertThat(located.getBlockSize()).isEqualTo(10);
      assertThat(places(block)).containsExactly("uuid-dn1");
    }
  }
}
