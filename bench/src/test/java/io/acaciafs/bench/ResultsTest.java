package io.acaciafs.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files in {@code bench/results} have the form that their README describes. */
class ResultsTest {
  private static final Path RESULTS = Path.of("results");

  @Test
  void resultsAreTables() throws IOException {
    String index = Files.readString(RESULTS.resolve("README.md"));
    List<Path> results = results();
    assertThat(results).isNotEmpty();
    for (Path file : results) {
      assertThat(index).contains("`" + file.getFileName() + "`");
      JsonNode result = new ObjectMapper().readTree(file.toFile());
      for (JsonNode published : result.path("published")) {
        assertThat(published.path("date").asText()).as("%s: %s", file, published).isNotEmpty();
        published.path("tables").forEach(table -> assertTable(file, table));
      }
      for (JsonNode experiment : result.path("experiments")) {
        assertThat(experiment.path("unit").asText()).as("%s: %s", file, experiment).isNotEmpty();
        assertTable(file, experiment);
      }
    }
  }

  private static List<Path> results() throws IOException {
    try (Stream<Path> files = Files.list(RESULTS)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  private static void assertTable(Path file, JsonNode table) {
    assertThat(table.path("rows")).as("%s: %s", file, table).isNotEmpty();
    for (JsonNode row : table.path("rows")) {
      assertThat(row.size()).as("%s: %s", file, row).isEqualTo(table.path("columns").size());
    }
  }
}
