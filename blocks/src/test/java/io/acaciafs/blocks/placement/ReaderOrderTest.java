package io.acaciafs.blocks.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ReaderOrderTest extends BlockTestBase {
  private FakeDatanode[] nodes;
  private Block block;

  @BeforeEach
  void start() throws Exception {
    nodes =
        new FakeDatanode[] {
          node("a1", "10.0.1.1").start(),
          node("a2", "10.0.1.2").start(),
          node("b1", "10.0.2.1").start(),
          node("b2", "10.0.2.2").start()
        };
    block = write(1, nodes);
  }

  @Test
  void ownNodeComesFirstThenTheRack() {
    Set<String> lasts = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      List<String> order = order("10.0.2.1");
      assertThat(order.subList(0, 2)).containsExactly("uuid-b1", "uuid-b2");
      lasts.add(order.get(3));
    }
    assertThat(lasts).containsExactlyInAnyOrder("uuid-a1", "uuid-a2");
  }

  @Test
  void clientThatIsNoDataNodeReadsFromItsRack() throws Exception {
    order("10.0.2.99"); // its rack is asked for
    executor.submit(() -> {}).get(60, TimeUnit.SECONDS);
    for (int i = 0; i < 20; i++) {
      assertThat(order("10.0.2.99").subList(0, 2)).containsExactlyInAnyOrder("uuid-b1", "uuid-b2");
    }
  }

  @Test
  void deadNodesComeLastAndStaleOnesBeforeThem() throws Exception {
    LocatedBlock written = allocate(7, 4); // of another block the dead are not named
    clock.advance(Duration.ofMinutes(12));
    nodes[2].heartbeat(false);
    clock.advance(Duration.ofSeconds(40));
    nodes[0].heartbeat(false);
    nodes[1].heartbeat(false);
    for (int i = 0; i < 20; i++) {
      List<String> order = order("10.0.2.2", written);
      assertThat(order.subList(0, 2)).containsExactlyInAnyOrder("uuid-a1", "uuid-a2");
      assertThat(order.subList(2, 4)).containsExactly("uuid-b1", "uuid-b2");
    }
  }

  @Test
  void storagesFollowTheirNodes() {
    LocatedBlock located = locate(block);
    manager.sortForReader("10.0.2.1", List.of(located));
    assertThat(located.getStorageIDs())
        .containsExactly(
            Arrays.stream(located.getLocations())
                .map(DatanodeInfoWithStorage::getStorageID)
                .toArray(String[]::new));
  }

  private List<String> order(String client) {
    return order(client, locate(block));
  }

  private List<String> order(String client, LocatedBlock located) {
    manager.sortForReader(client, List.of(located));
    return Arrays.stream(located.getLocations()).map(DatanodeInfo::getDatanodeUuid).toList();
  }
}
