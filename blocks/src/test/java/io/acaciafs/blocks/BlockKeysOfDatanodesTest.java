package io.acaciafs.blocks;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import io.acaciafs.blocks.testkit.TestClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.protocol.KeyUpdateCommand;
import org.junit.jupiter.api.Test;

/** What DataNodes are told of the keys of block tokens. */
class BlockKeysOfDatanodesTest extends BlockTestBase {
  private static final Duration UPDATE = Duration.ofMinutes(600);

  private final TestClock wall = new TestClock();

  @Override
  protected void configure() {
    conf.setBoolean("dfs.block.access.token.enable", true);
    wallClock = wall;
  }

  /** The numbers of the current keys that a heartbeat tells. */
  private static List<Integer> told(FakeDatanode node) throws IOException {
    return Arrays.stream(node.heartbeat(false).getCommands())
        .filter(KeyUpdateCommand.class::isInstance)
        .map(command -> ((KeyUpdateCommand) command).getExportedKeys().getCurrentKey().getKeyId())
        .toList();
  }

  @Test
  void aRegistrationTellsThem() {
    ExportedBlockKeys keys =
        manager
            .register(node("dn1", "10.0.1.1").registration(), "10.0.1.1")
            .join()
            .getExportedKeys();
    assertThat(keys.isBlockTokenEnabled()).isTrue();
    assertThat(keys.getKeyUpdateInterval()).isEqualTo(UPDATE.toMillis());
    assertThat(keys.getTokenLifetime()).isEqualTo(UPDATE.toMillis());
    assertThat(keys.getCurrentKey()).isEqualTo(manager.tokens().exportedKeys().getCurrentKey());
    assertThat(keys.getAllKeys()).hasSize(2);
  }

  /** Once by each process: what a reply told that was lost, or the process before, is not known. */
  @Test
  void theFirstHeartbeatTellsThem() throws IOException {
    FakeDatanode node = node("dn1", "10.0.1.1");
    manager.register(node.registration(), node.ip()).join();
    int current = manager.tokens().exportedKeys().getCurrentKey().getKeyId();
    assertThat(told(node)).containsExactly(current);
    assertThat(told(node)).isEmpty();
    restart(node);
    assertThat(told(node)).containsExactly(current);
    assertThat(told(node)).isEmpty();
  }

  @Test
  void eachIsToldOfNewOnes() throws IOException {
    List<FakeDatanode> nodes = nodes(3);
    int current = manager.tokens().exportedKeys().getCurrentKey().getKeyId();
    wall.advance(UPDATE.plusMillis(1));
    manager.tokens().look();
    for (FakeDatanode node : nodes) {
      assertThat(told(node)).containsExactly(current + 1);
      assertThat(told(node)).isEmpty();
    }
  }

  @Test
  void safeModeDoesNotKeepThemBack() throws IOException {
    FakeDatanode node = nodes(1).get(0);
    manager.safeMode().enter();
    int current = manager.tokens().exportedKeys().getCurrentKey().getKeyId();
    wall.advance(UPDATE.plusMillis(1));
    manager.tokens().look();
    assertThat(told(node)).containsExactly(current + 1);
  }
}
