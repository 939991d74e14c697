package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.raft.call.ChannelSecurity;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RatisServerTest {
  @TempDir private Path folder;

  /** It may have led a moment ago, when it is asked how far the others are. */
  @Test
  void aMemberThatDoesNotLeadKnowsOfNoFollowers() throws Exception {
    RaftOptions options =
        new RaftOptions(
            "nn1",
            Map.of("nn1", "nn1:1", "nn2", "nn2:1", "nn3", "nn3:1"),
            "a group",
            folder,
            new ElectionTimeout(500, 1_000),
            ChannelSecurity.NONE,
            0);
    try (SimulatedNetwork network = new SimulatedNetwork(1)) {
      LogMember alone = new LogMember(options, network, 1 << 16);
      alone.start();
      try {
        assertThat(alone.ratis().followers()).isEmpty();
      } finally {
        alone.end();
      }
    }
  }
}
