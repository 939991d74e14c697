package io.acaciafs.blocks.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.blocks.testkit.BlockTestBase;
import io.acaciafs.blocks.testkit.FakeDatanode;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class GatewaysTest extends BlockTestBase {
  private static final Duration DEATH = Duration.ofMinutes(11);

  private Set<String> chosen(String client, Set<String> excluded, long blockSizeBytes) {
    Set<String> chosen = new HashSet<>();
    for (int i = 0; i < 50; i++) {
      DatanodeInfo node = manager.gateways().choose("/f", client, excluded, blockSizeBytes);
      chosen.add(node == null ? null : node.getDatanodeUuid());
    }
    return chosen;
  }

  @Test
  void choosesTheClientsOwnNodeElseOneOnItsRack() throws Exception {
    nodes(3);
    node("far", "10.0.2.1").start();
    assertThat(chosen("10.0.1.2", Set.of(), BLOCK_SIZE)).containsExactly("uuid-dn2");
    assertThat(chosen("10.0.1.2", Set.of("uuid-dn2"), BLOCK_SIZE))
        .containsExactlyInAnyOrder("uuid-dn1", "uuid-dn3");
  }

  @Test
  void takesAnyLivingNodeWhereThereIsNoRoom() throws Exception {
    List<FakeDatanode> nodes = nodes(3);
    assertThat(chosen(null, Set.of("uuid-dn1"), Long.MAX_VALUE / 2))
        .containsExactlyInAnyOrder("uuid-dn2", "uuid-dn3");
    clock.advance(DEATH);
    nodes.get(2).heartbeat(false);
    assertThat(chosen(null, Set.of(), Long.MAX_VALUE / 2)).containsExactly("uuid-dn3");
    assertThat(chosen(null, Set.of("uuid-dn3"), BLOCK_SIZE)).containsExactly((String) null);
  }

  @Test
  void knowsNodesByHostAndByAddress() throws Exception {
    FakeDatanode node = nodes(2).get(1);
    assertThat(manager.gateways().uuidsOf(List.of(node.registration().getXferAddr(), "10.0.1.1")))
        .containsExactlyInAnyOrder("uuid-dn1", "uuid-dn2");
    assertThat(manager.gateways().uuidsOf(List.of("10.9.9.9:1"))).isEmpty();
  }
}
