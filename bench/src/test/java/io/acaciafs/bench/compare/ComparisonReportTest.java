package io.acaciafs.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonReportTest {
  private static final String BEGIN = "<!-- written by bench/against-hdfs: begin -->\n";
  private static final String END = "<!-- written by bench/against-hdfs: end -->\n";

  @TempDir private Path folder;

  private final ComparisonReport report =
      new ComparisonReport(
          new Machine(LocalDate.of(2026, 1, 2), "1.0", "Some CPU", 2, 0.1, 0.5),
          Plan.quick(),
          Plan.items().stream()
              .map(
                  item ->
                      new Result(
                          item,
                          new Figures(1000, 20.004, 1, item.main() ? 100 : 1),
                          new Figures(3000, 5, 1, 50)))
              .toList(),
          List.of(new EchoResult(1, Plan.MANY_IN_FLIGHT, new Figures(9000, 1, 1, 1))));

  @Test
  void jsonHasOneFigureOfEachKindForEachOperation() throws Exception {
    JsonNode json = new ObjectMapper().readTree(report.json());
    assertThat(json.fieldNames()).toIterable().containsExactly("operations");
    assertThat(json.get("operations").fieldNames())
        .toIterable()
        .containsExactly("stat", "open", "list", "create", "mkdir", "rename", "delete", "mix");
    for (JsonNode operation : json.get("operations")) {
      assertThat(operation.fieldNames()).toIterable().containsExactly("hdfs", "acacia");
      assertThat(operation.get("hdfs").toString())
          .isEqualTo("{\"ops_per_second\":1000.0,\"cpu_us\":20.0,\"p99_us\":100.0}");
    }
  }

  @Test
  void tableReplacesTheOldOneInThePage() throws Exception {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "before\n" + BEGIN + "old\n" + END + "after\n");
    report.writeTo(page);
    report.writeTo(page);
    List<String> lines = Files.readAllLines(page);
    assertThat(lines).startsWith("before").endsWith("after").doesNotContain("old");
    assertThat(lines)
        .contains("| create | 16 x 4 | 1,000 | 3,000 | 3.0 | 20.0 | 5.0 | 4.0 | 100 | 50 |")
        .contains("| 1 | 16 x 8 | 9,000 | 1.0 |")
        .filteredOn(line -> line.startsWith("| stat "))
        .hasSize(2);
  }

  @Test
  void pageWithoutAPlaceIsLeftAlone() throws Exception {
    Path page = folder.resolve("page.md");
    Files.writeString(page, "text\n");
    assertThatThrownBy(() -> report.writeTo(page)).isInstanceOf(IOException.class);
    assertThat(page).hasContent("text\n");
  }
}
