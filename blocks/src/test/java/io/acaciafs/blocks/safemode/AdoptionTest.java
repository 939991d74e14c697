package io.acaciafs.blocks.safemode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.load.LoadedBlocks;
import io.acaciafs.blocks.proto.RepairQueue;
import io.acaciafs.blocks.record.BlockRows;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.RepairTestBase;
import io.acaciafs.kv.Key;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.ReplicaState;
import org.apache.hadoop.hdfs.server.protocol.BlockRecoveryCommand;
import org.junit.jupiter.api.Test;

/** Blocks that came from another NameNode: nobody knows where they are until DataNodes report. */
class AdoptionTest extends RepairTestBase {
  private static final long FILE = 5;

  @Override
  protected void configure() {
    conf.setInt("dfs.namenode.safemode.extension", 0);
  }

  private static Block block(long id) {
    return new Block(id, 10, GS);
  }

  /** Restarts with these blocks of two replicas each. */
  private void adopt(long... ids) throws Exception {
    run(
        tx -> {
          for (long id : ids) {
            Key key = LoadedBlocks.key(id);
            tx.put(key, LoadedBlocks.missing(block(id), FILE, 2));
            tx.put(LoadedBlocks.repairOf(key.bytes()), new byte[0]);
          }
          LoadedBlocks.adopt(tx, ids.length, 0, 5000, 0);
          return null;
        });
    restart();
  }

  @Test
  void areAwaitedInSafeMode() throws Exception {
    adopt(1, 2);
    assertThat(manager.safeMode().isStartup()).isTrue();
    assertThat(manager.safeMode().tip())
        .startsWith(
            "The reported blocks 0 needs additional 1 blocks to reach the threshold 0.9990 of total"
                + " blocks 2.");
    assertThat(manager.blockStats().getMissingReplicaBlocks()).isEqualTo(2);
  }

  @Test
  void aFullReportBringsThemBackAndNothingIsDeletedOrCopied() throws Exception {
    adopt(1, 2);
    List<FakeDatanode> nodes = nodes(3);
    nodes.get(0).reportAll(block(1), block(2));
    assertThat(places(block(1))).containsExactly("uuid-dn1");
    assertThat(queueOf(block(1))).isEqualTo(RepairQueue.HIGHEST_PRIORITY);
    nodes.get(1).reportAll(block(1), block(2));
    nodes.get(2).reportAll();
    manager.safeMode().check();
    assertThat(manager.safeMode().isOn()).isFalse();
    manager.repairNow();

    assertThat(places(block(1))).containsExactly("uuid-dn1", "uuid-dn2");
    assertThat(queueOf(block(2))).isEqualTo(RepairQueue.NONE);
    assertThat(counters().missing()).isZero();
    assertThat(counters().lowRedundancy()).isZero();
    for (FakeDatanode node : nodes) {
      assertThat(node.heartbeat(false).getCommands()).isEmpty();
    }
  }

  /** A DataNode that runs on has heard the other NameNode's, and believes no lower one. */
  @Test
  void transactionIdGoesOn() throws Exception {
    adopt(1);
    assertThat(nodes(1).get(0).heartbeat(false).getNameNodeHaState().getTxId()).isEqualTo(5000);
  }

  @Test
  void areNotAwaitedAgainOnceTheyAreThere() throws Exception {
    adopt(1);
    nodes(1).get(0).reportAll(block(1));
    manager.safeMode().check();
    restart();
    assertThat(manager.safeMode().isOn()).isFalse();
  }

  @Test
  void areAwaitedAgainAfterARestartInBetween() throws Exception {
    adopt(1, 2, 3);
    nodes(1).get(0).reportAll(block(1));
    restart();
    assertThat(manager.safeMode().isStartup()).isTrue();
    assertThat(manager.safeMode().tip()).startsWith("The reported blocks 1 needs additional 1");
  }

  @Test
  void anAdministratorMayStopToWait() throws Exception {
    adopt(1);
    manager.safeMode().leave();
    restart();
    assertThat(manager.safeMode().isOn()).isFalse();
    assertThat(counters().missing()).isEqualTo(1);
  }

  /** A replica of another length is no replica, but the last one that there is. */
  @Test
  void wrongReplicasAreKeptAsLongAsThereIsNoGoodOne() throws Exception {
    adopt(1);
    FakeDatanode node = nodes(1).get(0);
    node.reportAll(new Block(1, 9, GS));
    manager.safeMode().leave();
    clock.advance(Duration.ofMinutes(1));
    manager.repairNow();
    assertThat(node.heartbeat(false).getCommands()).isEmpty();
    assertThat(queueOf(block(1))).isEqualTo(RepairQueue.MISSING);
  }

  @Test
  void theLastBlockOfAnOpenFileIsFoundByItsReplica() throws Exception {
    run(
        tx -> {
          tx.put(LoadedBlocks.key(1), LoadedBlocks.underConstruction(block(1), FILE, 1, 0));
          return null;
        });
    FakeDatanode node = nodes(1).get(0);
    node.report(0, List.of(FakeDatanode.replica(new Block(1, 7, GS), ReplicaState.RBW)));
    assertThat(BlockRows.read(store, 1).expected()).hasSize(1);
    assertThat(node.heartbeat(false).getCommands()).isEmpty();
  }

  /** A writer that was cut off has put a stamp on a replica that the other NameNode issued. */
  @Test
  void recoveryIdsLieAboveAllThatWasIssued() throws Exception {
    run(
        tx -> {
          tx.put(LoadedBlocks.key(1), LoadedBlocks.underConstruction(block(1), FILE, 1, GS + 7));
          return null;
        });
    FakeDatanode node = nodes(1).get(0);
    node.report(0, List.of(FakeDatanode.replica(new Block(1, 7, GS + 7), ReplicaState.RBW)));
    run(
        tx -> {
          manager.recovery().start(tx, 1, 0, () -> 77);
          return null;
        });
    BlockRecoveryCommand command = (BlockRecoveryCommand) node.heartbeat(false).getCommands()[0];
    assertThat(command.getRecoveringBlocks())
        .singleElement()
        .satisfies(block -> assertThat(block.getNewGenerationStamp()).isEqualTo(GS + 8));
  }

  @Test
  void aStampBelowTheBlocksOwnIsNoneIssued() {
    byte[] row = LoadedBlocks.underConstruction(block(1), FILE, 1, GS);
    assertThat(row).isEqualTo(LoadedBlocks.underConstruction(block(1), FILE, 1, 0));
  }
}
