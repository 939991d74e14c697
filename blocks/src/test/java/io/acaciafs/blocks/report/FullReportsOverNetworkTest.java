package io.acaciafs.blocks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.StoreOverNetwork;
import io.acaciafs.kv.Store;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** The same where reads take a network: full reports read rows together, and miss nothing. */
class FullReportsOverNetworkTest extends FullReportsTest {
  private static final int REPLICAS = 3500;

  private StoreOverNetwork network;

  @Override
  protected Store storeOfManager() {
    network = new StoreOverNetwork(store);
    return network.store();
  }

  @Test
  void aSliceOfTheReportTakesTwoRoundTrips() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    List<Block> blocks = new ArrayList<>();
    for (long id = 1; id <= REPLICAS; id++) {
      blocks.add(write(id, node));
    }
    network.roundTrips();

    node.reportAll(blocks.toArray(Block[]::new));

    assertThat(network.roundTrips())
        .as("rows of the index and of blocks for four slices, and deletions")
        .isEqualTo(4 * 2 + 1);
    assertThat(network.mostRowsPrefetched()).isEqualTo(1000);
  }
}
