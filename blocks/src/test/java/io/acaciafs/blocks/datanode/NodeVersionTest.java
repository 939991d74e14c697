package io.acaciafs.blocks.datanode;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** What replies say of DataNodes never changes under one version. */
class NodeVersionTest extends BlockTestBase {
  @TempDir Path folder;
  private Path exclude;

  @Override
  protected void configure() {
    try {
      exclude = Files.createFile(folder.resolve("exclude"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    conf.set(DFSConfigKeys.DFS_HOSTS_EXCLUDE, exclude.toString());
  }

  @Test
  void heartbeatsOfALiveNodeChangeNothing() throws Throwable {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    assertKept(
        () -> {
          clock.advance(Duration.ofSeconds(3));
          node.heartbeat(false);
          node.remainingBytes /= 2;
          node.xceivers = 50;
          node.heartbeat(false);
        });
  }

  @Test
  void anotherAddressIsAnotherVersion() throws Throwable {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    node.xferPort = 50010;
    assertRaised(node::start);
  }

  @Test
  void anotherAdministrativeStateIsAnotherVersion() throws Throwable {
    nodes(2);
    Files.writeString(exclude, "10.0.1.1\n");
    assertRaised(manager::refreshNodes);
    assertKept(manager::refreshNodes);
  }

  @Test
  void newAndFailedStoragesAreAnotherVersion() throws Throwable {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    node.withStorage(StorageType.SSD);
    assertRaised(() -> node.heartbeat(false));
    node.failed.add(1);
    assertRaised(() -> node.heartbeat(false));
    assertKept(() -> node.heartbeat(false));
    assertRaised(manager::repairNow); // the storage counts as lost
    assertKept(manager::repairNow);
  }

  @Test
  void whoIsHeardAgainIsAnotherVersion() throws Throwable {
    FakeDatanode node = node("dn1", "10.0.1.1").start();
    clock.advance(Duration.ofSeconds(31));
    assertRaised(() -> node.heartbeat(false));
    clock.advance(Duration.ofMinutes(11));
    assertRaised(() -> node.heartbeat(false));
    restart(node);
    assertRaised(() -> node.heartbeat(false));
  }

  @Test
  void nothingLastsLongerThanTheSilenceOfTheNodeThatIsStaleNext() throws Exception {
    List<FakeDatanode> nodes = nodes(2);
    assertThat(manager.nodesLastMs()).isEqualTo(3000); // a heartbeat's interval
    clock.advance(Duration.ofSeconds(29));
    nodes.get(0).heartbeat(false);
    assertThat(manager.nodesLastMs()).isEqualTo(1001);
    clock.advance(Duration.ofMillis(1001)); // the other is stale
    assertThat(manager.nodesLastMs()).isEqualTo(3000);
    nodes.get(0).heartbeat(false);
    clock.advance(Duration.ofMillis(630_000 - 31_001));
    assertThat(manager.nodesLastMs()).isEqualTo(1001); // until it is dead
  }

  @Test
  void theBoundFollowsTheIntervalOfHeartbeats() throws Exception {
    nodes(1);
    conf.set(DFSConfigKeys.DFS_HEARTBEAT_INTERVAL_KEY, "1s");
    assertRaised(() -> manager.reconfiguration().apply(conf));
    assertThat(manager.nodesLastMs()).isEqualTo(1000);
  }

  private void assertRaised(Executable change) {
    assertThat(versionsIn(change)).isPositive();
  }

  private void assertKept(Executable change) {
    assertThat(versionsIn(change)).isZero();
  }

  private long versionsIn(Executable change) {
    long before = manager.nodeVersion().get();
    try {
      change.execute();
    } catch (Throwable e) {
      throw new AssertionError(e);
    }
    return manager.nodeVersion().get() - before;
  }
}
