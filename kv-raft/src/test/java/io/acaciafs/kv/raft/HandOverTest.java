package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class HandOverTest {
  private static final long LONGEST_SILENCE_MS = 1_000;

  private static String choose(String member, Follower... others) throws IOException {
    return HandOver.choose(member, List.of(others), LONGEST_SILENCE_MS);
  }

  @Test
  void anyIsTheOneThatIsFurthest() throws IOException {
    assertThat(choose("", new Follower("nn2", 12, 0), new Follower("nn3", 2, 100)))
        .isEqualTo("nn3");
    assertThat(choose("", new Follower("nn2", 12, 0), new Follower("nn3", 2, 1_001)))
        .isEqualTo("nn2");
  }

  @Test
  void theOneThatIsNamedNeedNotBeTheFurthest() throws IOException {
    assertThat(choose("nn2", new Follower("nn2", 1_000, 1_000), new Follower("nn3", 0, 0)))
        .isEqualTo("nn2");
  }

  @Test
  void oneThatCouldNotLeadIsRefused() {
    assertThatThrownBy(
            () -> choose("nn2", new Follower("nn2", 1_001, 0), new Follower("nn3", 0, 0)))
        .isInstanceOf(IOException.class)
        .hasMessage("Leadership stays here: nn2 is 1001 entries of the log behind");
    assertThatThrownBy(
            () -> choose("", new Follower("nn2", 1_001, 0), new Follower("nn3", 0, 2_000)))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "Leadership stays here: nn2 is 1001 entries of the log behind, nn3 was not heard for"
                + " 2000 ms");
  }

  @Test
  void aStrangerIsRefused() {
    assertThatThrownBy(() -> choose("nn9", new Follower("nn2", 0, 0)))
        .isInstanceOf(IOException.class)
        .hasMessage("nn9 is no member of the group");
    assertThatThrownBy(() -> choose(""))
        .isInstanceOf(IOException.class)
        .hasMessage("The group has no other member");
  }
}
