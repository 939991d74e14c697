package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.load.RestoredBlocks;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.RollingUpgradeStatus;
import org.apache.hadoop.hdfs.server.protocol.FinalizeCommand;
import org.junit.jupiter.api.Test;

/** What is stored of rolling upgrades, and what DataNodes are told. */
class RollingUpgradesTest extends BlockTestBase {
  private static final RollingUpgradeStatus UNDER_WAY =
      new RollingUpgradeStatus(IDENTITY.blockPoolId(), false);
  private static final RollingUpgradeStatus FINALIZED =
      new RollingUpgradeStatus(IDENTITY.blockPoolId(), true);

  private RollingUpgrades upgrades() {
    return manager.upgrades();
  }

  private static RollingUpgradeStatus told(FakeDatanode node) throws IOException {
    return node.heartbeat(false).getRollingUpdateStatus();
  }

  @Test
  void eachHeartbeatTellsIt() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    assertThat(told(node)).isNull();

    upgrades().begin(1000, "").join();
    assertThat(upgrades().isUnderWay()).isTrue();
    assertThat(told(node)).isEqualTo(UNDER_WAY);
    restart(node);
    assertThat(told(node)).as("after a restart").isEqualTo(UNDER_WAY);

    upgrades().finish(2000).join();
    assertThat(upgrades().isUnderWay()).isFalse();
    assertThat(told(node)).isEqualTo(FINALIZED);
    restart(node);
    assertThat(told(node)).as("to DataNodes that come back later").isEqualTo(FINALIZED);
  }

  @Test
  void aRepetitionFindsWhatWasDone() {
    RollingUpgrade begun = upgrades().begin(1000, "").join();
    assertThat(begun).isEqualTo(new RollingUpgrade(1000, 0, ""));
    assertThat(upgrades().begin(1500, "host:/other").join()).isEqualTo(begun);

    assertThat(upgrades().finish(2000).join()).isEqualTo(begun.finalizedAt(2000));
    assertThat(upgrades().finish(3000).join()).as("none is under way").isNull();
    assertThat(upgrades().refresh()).isEqualTo(begun.finalizedAt(2000));
  }

  @Test
  void theNextOneIsAnotherOneThoughTheClockStandsStill() {
    upgrades().begin(1000, "host:/first").join();
    upgrades().finish(1000).join();
    assertThat(upgrades().begin(1000, "").join()).isEqualTo(new RollingUpgrade(1001, 0, ""));
  }

  @Test
  void aBackupCountsForItsOwnUpgradeAndOnce() {
    upgrades().begin(1000, "").join();
    assertThat(upgrades().backedUp(999, "host:/older").join()).isNull();
    RollingUpgrade withBackup = new RollingUpgrade(1000, 0, "host:/first");
    assertThat(upgrades().backedUp(1000, "host:/first").join()).isEqualTo(withBackup);
    assertThat(upgrades().backedUp(1000, "host:/second").join()).isNull();
    assertThat(upgrades().known()).isEqualTo(withBackup);

    upgrades().finish(2000).join();
    assertThat(upgrades().backedUp(1000, "host:/third").join()).isNull();
  }

  /** As where another NameNode serves the store as well. */
  @Test
  void whatAnotherOneDidIsFoundWhenItIsReadAnew() {
    RollingUpgrades other =
        new RollingUpgrades(new TransactionRunner(store, executor, new Random(1)), "BP");
    other.begin(1000, "").join();
    assertThat(upgrades().isUnderWay()).isFalse();
    assertThat(upgrades().refresh()).isEqualTo(new RollingUpgrade(1000, 0, ""));
    assertThat(upgrades().isUnderWay()).isTrue();
  }

  @Test
  void whatAnOlderUpgradeHasKeptGoesUnlessOneIsUnderWay() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    Block block = write(1, node);
    assertThat(node.reportAll(block))
        .isInstanceOfSatisfying(
            FinalizeCommand.class,
            command -> assertThat(command.getBlockPoolId()).isEqualTo(IDENTITY.blockPoolId()));
    upgrades().begin(1000, "").join();
    assertThat(node.reportAll(block)).isNull();
    upgrades().finish(2000).join();
    assertThat(node.reportAll(block)).isInstanceOf(FinalizeCommand.class);
  }

  @Test
  void aRestoredStoreKnowsOfNone() throws Exception {
    FakeDatanode node = nodes(1).get(0);
    upgrades().begin(1000, "").join();
    RestoredBlocks.distrust(new TransactionRunner(store, executor, new Random(1)));
    restart(node);
    assertThat(upgrades().refresh()).isNull();
    assertThat(told(node)).isNull();
  }
}
