package io.acaciafs.model;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Figures of one published run of a benchmark, see {@code bench/results/README.md}. */
final class MeasuredTable {
  static final Path RESULTS = Path.of("../bench/results");
  private static final String PIECES = "us of a piece of work";

  private final JsonNode run;

  private MeasuredTable(JsonNode run) {
    this.run = run;
  }

  /** Of the run that a commit first contained. */
  static MeasuredTable of(String file, String date, String commit) throws IOException {
    for (JsonNode run : published(file)) {
      if (run.path("date").asText().equals(date) && run.path("commit").asText().equals(commit)) {
        return new MeasuredTable(run);
      }
    }
    throw new AssertionError("No run of " + commit + " in " + file);
  }

  /** All runs that say how fast the machine was at each figure, the oldest first. */
  static List<MeasuredTable> withPieces(String file) throws IOException {
    List<MeasuredTable> runs = new ArrayList<>();
    for (JsonNode run : published(file)) {
      MeasuredTable table = new MeasuredTable(run);
      if (table.table(PIECES).isObject()) {
        runs.add(table);
      }
    }
    return runs;
  }

  /** Of {@code many-servers.json}. */
  static JsonNode experiment(String what) throws IOException {
    for (JsonNode experiment : read("many-servers.json").path("experiments")) {
      if (experiment.path("what").asText().equals(what)) {
        return experiment;
      }
    }
    throw new AssertionError("No such experiment: " + what);
  }

  private static JsonNode published(String file) throws IOException {
    return read(file).path("published");
  }

  private static JsonNode read(String file) throws IOException {
    return new ObjectMapper().readTree(RESULTS.resolve(file).toFile());
  }

  String commit() {
    return run.path("commit").asText();
  }

  List<String> operations() {
    List<String> operations = new ArrayList<>();
    table(PIECES).path("rows").forEach(row -> operations.add(row.path(0).asText()));
    return operations;
  }

  double operationsPerSecond(String operation, int servers) {
    return figure("operations a second", operation, servers);
  }

  double cpuUs(String operation, int servers) {
    return figure("CPU us of the servers for one", operation, servers);
  }

  /** What a piece of work that is always the same took meanwhile. */
  double pieceUs(String operation, int servers) {
    return figure(PIECES, operation, servers);
  }

  private JsonNode table(String name) {
    for (JsonNode table : run.path("tables")) {
      if (table.path("columns").path(0).asText().equals(name)) {
        return table;
      }
    }
    return run.path("no table");
  }

  private double figure(String name, String operation, int servers) {
    JsonNode table = table(name);
    int column = 1;
    while (!table.path("columns").path(column).asText().equals(Integer.toString(servers))) {
      column++;
      if (column >= table.path("columns").size()) {
        throw new AssertionError("Not measured with " + servers + ": " + run);
      }
    }
    for (JsonNode row : table.path("rows")) {
      if (row.path(0).asText().equals(operation)) {
        return row.path(column).asDouble();
      }
    }
    throw new AssertionError("Not measured: " + operation);
  }
}
