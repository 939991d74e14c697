package io.acaciafs.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;

/** Figures of one published run of a benchmark, see {@code bench/results/README.md}. */
final class MeasuredTable {
  static final Path RESULTS = Path.of("../bench/results");

  private final JsonNode run;

  private MeasuredTable(JsonNode run) {
    this.run = run;
  }

  /** Of the run that a commit first contained. */
  static MeasuredTable of(String file, String date, String commit) throws IOException {
    JsonNode root = new ObjectMapper().readTree(RESULTS.resolve(file).toFile());
    for (JsonNode run : root.path("published")) {
      if (run.path("date").asText().equals(date) && run.path("commit").asText().equals(commit)) {
        return new MeasuredTable(run);
      }
    }
    throw new AssertionError("No run of " + commit + " in " + file);
  }

  double operationsPerSecond(String operation, int servers) {
    return figure(0, operation, servers);
  }

  double cpuUs(String operation, int servers) {
    return figure(1, operation, servers);
  }

  private double figure(int table, String operation, int servers) {
    JsonNode columns = run.path("tables").path(table).path("columns");
    int column = 1;
    while (!columns.path(column).asText().equals(Integer.toString(servers))) {
      column++;
      if (column >= columns.size()) {
        throw new AssertionError("Not measured with " + servers + ": " + run);
      }
    }
    for (JsonNode row : run.path("tables").path(table).path("rows")) {
      if (row.path(0).asText().equals(operation)) {
        return row.path(column).asDouble();
      }
    }
    throw new AssertionError("Not measured: " + operation);
  }
}
