package io.acaciafs.blocks.load;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.run.TransactionRunner;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** Several NameNodes commanded the DataNodes before. */
class MovedBlocksTest extends RepairTestBase {

  /** That NameNode kept them in memory, and only the first DataNode had one. */
  @Test
  void aDatanodeIsAskedForReportsThatAListenerMayHaveLost() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    FakeDatanode heard = nodes.get(0);
    FakeDatanode other = nodes.get(1);
    Block known = write(1, heard, other);
    Block unknown = write(2, other);
    own("uuid-dn1", new Owner(1, 2, List.of(2L)));
    own("uuid-dn2", new Owner(2, 2, List.of()));
    MovedBlocks.forgetOwners(new TransactionRunner(store, executor, new Random(4)));
    restart(array(nodes));

    assertThat(places(known)).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(isAskedToRegister(other)).isFalse();
    assertThat(isAskedToRegister(heard)).isTrue();
    comeBack(heard, known, unknown);
    assertThat(places(unknown)).containsExactly("uuid-dn1", "uuid-dn2");
    clock.advance(Duration.ofMinutes(2));
    assertThat(isAskedToRegister(heard)).isFalse();
  }

  private void own(String datanode, Owner owner) throws Exception {
    run(
        tx -> {
          tx.put(BlockKeys.owner(datanode), owner.encode());
          return null;
        });
  }
}
