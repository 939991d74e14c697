package io.acaciafs.namenode.monitor.problems;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.namenode.monitor.problems.KnownProblems.Known;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class KnownProblemsTest {
  private final SettableClock clock = new SettableClock();
  private final KnownProblems known = new KnownProblems(clock);

  @Test
  void aProblemIsAsOldAsItsFirstSightWhateverItsCauseSays() {
    long beganMs = clock.millis();
    known.update(List.of(new Problem(ProblemKind.DEAD_DATANODES, "1: a")));
    clock.advanceMs(60_000);
    List<Known> now = known.update(List.of(new Problem(ProblemKind.DEAD_DATANODES, "2: a, b")));
    assertThat(now).extracting(Known::sinceMs).containsExactly(beganMs);
    assertThat(now).extracting(each -> each.problem().cause()).containsExactly("2: a, b");
  }

  @Test
  void oneThatComesBackIsNew() {
    known.update(List.of(new Problem(ProblemKind.SAFE_MODE, "on")));
    clock.advanceMs(1_000);
    known.update(List.of());
    clock.advanceMs(1_000);
    assertThat(known.update(List.of(new Problem(ProblemKind.SAFE_MODE, "on"))))
        .extracting(Known::sinceMs)
        .containsExactly(clock.millis());
  }

  @Test
  void subjectsAreApartAndTheWorstComeFirst() {
    known.update(List.of(new Problem(ProblemKind.FOLLOWER_SILENT, "nn2", "silent")));
    clock.advanceMs(5_000);
    List<Known> now =
        known.update(
            List.of(
                new Problem(ProblemKind.FOLLOWER_SILENT, "nn2", "silent"),
                new Problem(ProblemKind.FOLLOWER_SILENT, "nn3", "silent"),
                new Problem(ProblemKind.MISSING_BLOCKS, "3 blocks")));
    assertThat(now)
        .extracting(each -> each.problem().kind() + each.problem().subject())
        .containsExactly("MISSING_BLOCKS", "FOLLOWER_SILENTnn3", "FOLLOWER_SILENTnn2");
    assertThat(now.get(2).sinceMs()).isEqualTo(clock.millis() - 5_000);
  }

  @Test
  void thereAreNoMoreThanFitOnAPage() {
    List<Problem> many = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      many.add(new Problem(ProblemKind.TASK_FAILS, "task" + i, "no"));
    }
    assertThat(known.update(many)).hasSize(KnownProblems.MOST);
  }

  @ParameterizedTest
  @EnumSource(ProblemKind.class)
  void theDocumentationHasASectionForEachKind(ProblemKind kind) throws Exception {
    assertThat(Files.readString(Path.of("../docs/troubleshooting.md")))
        .containsPattern("(?m)^### " + kind.anchor() + "$");
  }
}
