package io.acaciafs.bench.security;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.bench.compare.Figures;
import io.acaciafs.bench.compare.Machine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SecurityReportTest {
  private static final String BEGIN = "<!-- written by bench/security: begin -->\n";
  private static final String END = "<!-- written by bench/security: end -->\n";

  @TempDir private Path folder;

  /** The proof costs Acacia nothing, and half again as much Hadoop's. */
  private static SecurityReport report() {
    return new SecurityReport(
        new Machine(LocalDate.of(2026, 1, 2), "1.0", "Some CPU", 2, 0.1, 0.5),
        SecurityComparison.quick(),
        Turn.groups().stream()
            .flatMap(Collection::stream)
            .map(
                turn ->
                    new SecurityReport.Row(
                        turn,
                        new Figures(1_000, turn.proof() == Proof.NOTHING ? 20 : 30, 1, 100),
                        new Figures(2_000, 5, 1, 50)))
            .toList());
  }

  @Test
  void tablesReplaceTheOldOnesInThePage() throws Exception {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "before\n" + BEGIN + "old\n" + END + "after\n");
    report().writeTo(page);
    List<String> lines = Files.readAllLines(page);
    assertThat(lines).startsWith("before").endsWith("after").doesNotContain("old");
    assertThat(lines)
        .contains("| nothing |  | 64 x 1 | 1,000 | 2,000 | 20.00 | 5.00 | 4.0 | 1.00 | 1.00 |")
        .contains(
            "| a ticket | privacy | 16 x 8 | 1,000 | 2,000 | 30.00 | 5.00 | 6.0 | 1.50 | 1.00 |")
        .contains("| a token | 1,000 | 2,000 | 2.0 | 30 | 5 | 6.0 | 100 | 50 |");
  }

  @Test
  void jsonHasAllFigures() throws Exception {
    JsonNode json = new ObjectMapper().readTree(report().json());
    assertThat(json.get("stat")).hasSize(12);
    assertThat(json.get("connections")).hasSize(3);
    JsonNode last = json.get("connections").get(2);
    assertThat(last.get("shows").asText()).isEqualTo("a token");
    assertThat(last.at("/hdfs/cpu_us").asDouble()).isEqualTo(30);
    assertThat(last.at("/acacia/per_second").asDouble()).isEqualTo(2_000);
  }
}
