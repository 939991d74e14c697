package io.acaciafs.bench.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.compare.Contestant;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.compare.Result;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HaReportTest {
  private static final String BEGIN = "<!-- written by bench/against-hdfs --ha: begin -->\n";
  private static final String END = "<!-- written by bench/against-hdfs --ha: end -->\n";

  @TempDir private Path folder;

  private static HaReport report() {
    Map<Contestant, List<Failovers>> failovers = new EnumMap<>(Contestant.class);
    failovers.put(
        Contestant.HDFS,
        List.of(
            new Failovers(
                List.of(3_000L, 2_000L, 2_500L), List.of(900L, 700L), Failovers.Load.NONE)));
    failovers.put(
        Contestant.ACACIA,
        List.of(
            new Failovers(List.of(1_500L, 1_100L, 1_200L), List.of(90L, 190L), Failovers.Load.NONE),
            new Failovers(List.of(2_000L), List.of(200L), new Failovers.Load(16, 5_210.4))));
    return new HaReport(
        new Machine(LocalDate.of(2026, 1, 2), "1.0", "Some CPU", 2, 0.1, 0.5),
        Plan.quick(),
        Plan.changes().stream()
            .map(
                item ->
                    new Result(item, new Figures(1_000, 60, 1, 100), new Figures(2_000, 30, 1, 50)))
            .toList(),
        failovers);
  }

  @Test
  void tablesReplaceTheOldOnesInThePage() throws Exception {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "before\n" + BEGIN + "old\n" + END + "after\n");
    report().writeTo(page);
    List<String> lines = Files.readAllLines(page);
    assertThat(lines).startsWith("before").endsWith("after").doesNotContain("old");
    assertThat(lines)
        .contains("| create | 16 x 16 | 1,000 | 2,000 | 2.0 | 60.0 | 30.0 | 2.0 | 100 | 50 |")
        .contains("| Hadoop's NameNode | 3 | 2,500 | 3,000 | 900 | 900 |")
        .contains("| Acacia | 3 | 1,200 | 1,500 | 190 | 190 |")
        .contains(
            "| Acacia, beside 16 clients with 5,210 files/s | 1 | 2,000 | 2,000 | 200 | 200 |");
  }
}
