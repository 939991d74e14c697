package io.acaciafs.namenode.monitor.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.engine.StoreCluster.Coprocessor;
import io.acaciafs.kv.engine.StoreCluster.State;
import io.acaciafs.kv.engine.StoreCluster.Transition;
import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.namenode.monitor.cluster.ClusterLook.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterChecksTest {
  private final SettableClock elapsed = new SettableClock();
  private Known<State> state = well();
  private Known<Optional<Coprocessor>> coprocessor = new Known<>(Optional.empty(), "");
  private final ClusterChecks check = new ClusterChecks(() -> state, () -> coprocessor, elapsed);

  private static Known<State> well() {
    return state(List.of(), 3, List.of());
  }

  private static Known<State> state(List<String> dead, int online, List<Transition> transitions) {
    return new Known<>(
        new State("2.6.4", "m1:1", List.of("m2:1"), List.of("r1:1"), dead, 3, online, transitions),
        "");
  }

  private List<Problem> look() {
    List<Problem> found = new ArrayList<>();
    check.look(found::add);
    return found;
  }

  private Problem only() {
    List<Problem> found = look();
    assertThat(found).hasSize(1);
    return found.get(0);
  }

  @Test
  void aClusterThatIsWellOrWasNotAskedYetIsNoProblem() {
    assertThat(look()).isEmpty();
    state = new Known<>(null, "");
    coprocessor = new Known<>(null, "");
    assertThat(look()).isEmpty();
  }

  @Test
  void aMasterThatDoesNotAnswerIsToldWithTheReason() {
    state = new Known<>(null, "HBase could not tell of its servers: no master");
    assertThat(only())
        .isEqualTo(
            new Problem(ProblemKind.NO_MASTER, "HBase could not tell of its servers: no master"));
    state = well();
    assertThat(look()).isEmpty();
  }

  @Test
  void deadServersAreNamed() {
    state = state(List.of("r2:1", "r3:1"), 3, List.of());
    assertThat(only()).isEqualTo(new Problem(ProblemKind.DEAD_REGION_SERVERS, "r2:1, r3:1"));
    state = state(List.of("a", "b", "c", "d", "e", "f", "g"), 3, List.of());
    assertThat(only().cause()).isEqualTo("a, b, c, d, e and 2 more");
  }

  @Test
  void aRegionThatIsMovedIsNoProblemUntilItStaysAway() {
    state = state(List.of(), 2, List.of(new Transition("one", "OPENING")));
    assertThat(look()).isEmpty();
    elapsed.advanceMs(ClusterChecks.USUAL_TRANSITION_MS - 1);
    assertThat(look()).isEmpty();
    elapsed.advanceMs(1);
    assertThat(only())
        .isEqualTo(
            new Problem(ProblemKind.REGIONS_OFFLINE, "2 of 3 regions are online: one is OPENING"));
  }

  @Test
  void regionsThatMoveOneAfterTheOtherAreNoProblem() {
    for (String name : List.of("one", "two", "three")) {
      state = state(List.of(), 2, List.of(new Transition(name, "CLOSING")));
      assertThat(look()).isEmpty();
      elapsed.advanceMs(ClusterChecks.USUAL_TRANSITION_MS);
    }
    state = well();
    assertThat(look()).isEmpty();
    state = state(List.of(), 2, List.of(new Transition("one", "CLOSING")));
    assertThat(look()).as("again").isEmpty();
  }

  @Test
  void aRegionThatNobodyOpensIsToldToo() {
    state = state(List.of(), 1, List.of());
    assertThat(look()).isEmpty();
    elapsed.advanceMs(ClusterChecks.USUAL_TRANSITION_MS);
    assertThat(only().cause())
        .isEqualTo("1 of 3 regions are online: 2 are closed, and nobody opens them");
  }

  @Test
  void regionsWithoutTheCoprocessorAreNamed() {
    coprocessor = coprocessor(Map.of("1.2.0", 2), List.of("one on r1:1"), 0);
    assertThat(only())
        .isEqualTo(
            new Problem(ProblemKind.COPROCESSOR_MISSING, "1 regions are without it: one on r1:1"));
  }

  @Test
  void anOlderCoprocessorIsToldAndANewerOneIsNot() {
    coprocessor = coprocessor(Map.of("1.2.0", 3, "1.10.0", 4), List.of(), 0);
    assertThat(look()).isEmpty();
    coprocessor = coprocessor(Map.of("1.2.0", 3, "1.1.9", 4, "", 5), List.of(), 0);
    assertThat(only())
        .isEqualTo(
            new Problem(
                ProblemKind.COPROCESSOR_OLD,
                "4 regions have 1.1.9, 5 regions have one that does not tell its version, and"
                    + " this NameNode is of version 1.2.0"));
  }

  @Test
  void regionsThatHaveNotAnsweredAreNoProblem() {
    coprocessor = coprocessor(Map.of(), List.of(), 3);
    assertThat(look()).isEmpty();
  }

  private static Known<Optional<Coprocessor>> coprocessor(
      Map<String, Integer> versions, List<String> missing, int unknown) {
    return new Known<>(Optional.of(new Coprocessor("1.2.0", versions, missing, unknown)), "");
  }
}
