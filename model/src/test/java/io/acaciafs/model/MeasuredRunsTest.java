package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * What several pairs were measured to do is predicted from what one pair did in the same run. No
 * figure of these runs with more than one server was used for the costs, see {@link
 * FittedCostsTest}. The list of runs is fixed: add a new one here.
 */
class MeasuredRunsTest {
  private static final double MOST_OFF = 0.15;
  private static final double IN_FLIGHT = 1024;
  private static final List<String> READS = List.of("list", "stat", "open");
  private static MeasuredTable giraffa;
  private static MeasuredTable metarates;
  private static Costs costs;

  @BeforeAll
  static void read() throws IOException, InputException {
    giraffa = MeasuredTable.of("giraffa.json", "2026-11-23", "802fafda");
    metarates = MeasuredTable.of("metarates.json", "2026-11-23", "ae0aa00a");
    costs = CostsReader.of(MeasuredTable.RESULTS);
  }

  /** All three are the same work there, as files are empty: their mean counts. */
  @Test
  void readsOfManyDirectories() {
    double perSecond = READS.stream().mapToDouble(this::onePair).average().orElseThrow();
    for (String read : READS) {
      PairGrowth growth =
          new PairGrowth(costs.reads(), perSecond, giraffa.cpuUs(read, 1), 0, 256, IN_FLIGHT);
      for (int servers : new int[] {2, 4, 8}) {
        assertPredicted(giraffa, read, servers, growth);
      }
    }
  }

  @Test
  void changesInManyDirectories() {
    for (String change : List.of("create", "mkdir", "delete")) {
      PairGrowth growth =
          new PairGrowth(
              costs.commits(), onePair(change), giraffa.cpuUs(change, 1), 1, 256, IN_FLIGHT);
      for (int servers : new int[] {2, 4, 8}) {
        assertPredicted(giraffa, change, servers, growth);
      }
    }
  }

  /** A file is created and completed, and removed: each server has a bucket of the directory. */
  @Test
  void changesInOneDirectory() {
    for (String change : List.of("create", "remove")) {
      PairGrowth growth =
          new PairGrowth(
              costs.commits(),
              metarates.operationsPerSecond(change, 1),
              metarates.cpuUs(change, 1),
              change.equals("create") ? 2 : 1,
              1,
              IN_FLIGHT);
      assertPredicted(metarates, change, 8, growth);
    }
  }

  private double onePair(String operation) {
    return giraffa.operationsPerSecond(operation, 1);
  }

  private static void assertPredicted(
      MeasuredTable run, String operation, int servers, PairGrowth growth) {
    double measured = run.operationsPerSecond(operation, servers);
    double predicted = growth.operationsPerSecond(servers);
    assertThat(Math.abs(predicted / measured - 1))
        .as("%s with %s: %.0f predicted, %.0f measured", operation, servers, predicted, measured)
        .isLessThan(MOST_OFF);
  }
}
