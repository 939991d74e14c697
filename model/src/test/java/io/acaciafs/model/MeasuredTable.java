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
      if (!table.operations().isEmpty()) {
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

  /** Those of which it is known how fast the machine was meanwhile. */
  List<String> operations() {
    List<String> operations = new ArrayList<>();
    if (isWhole()) {
      run.path("figures").path(Figure.PIECE.field).fieldNames().forEachRemaining(operations::add);
    } else {
      table(Figure.PIECE).path("rows").forEach(row -> operations.add(row.path(0).asText()));
    }
    return operations;
  }

  /** Whether it is kept as the benchmark's {@code --json} wrote it, and not as tables. */
  private boolean isWhole() {
    return run.path("figures").isObject();
  }

  double operationsPerSecond(String operation, int servers) {
    return figure(Figure.RATE, operation, servers);
  }

  double cpuUs(String operation, int servers) {
    return figure(Figure.CPU, operation, servers);
  }

  /** What a piece of work that is always the same took meanwhile. */
  double pieceUs(String operation, int servers) {
    return figure(Figure.PIECE, operation, servers);
  }

  /**
   * One pair.
   *
   * @param beside so many servers, in turn with which it was measured, as far as that was done
   */
  OnePair onePair(String operation, int beside) {
    return new OnePair(
        figureOfOne(Figure.RATE, operation, beside),
        figureOfOne(Figure.CPU, operation, beside),
        figureOfOne(Figure.PIECE, operation, beside));
  }

  record OnePair(double operationsPerSecond, double cpuUs, double pieceUs) {}

  /** With its names in tables and in JSON. */
  private enum Figure {
    RATE("operations a second", "ops_per_second"),
    CPU("CPU us of the servers for one", "servers_cpu_us_per_operation"),
    PIECE("us of a piece of work", "cpu_us_of_a_piece_of_work");

    private final String column;
    private final String field;

    Figure(String column, String field) {
      this.column = column;
      this.field = field;
    }
  }

  private double figureOfOne(Figure figure, String operation, int beside) {
    if (!isWhole()) {
      return figure(figure, operation, 1);
    }
    JsonNode ofPairs = run.path("figures").path("one_pair_in_turn_with_the_others");
    return of(ofPairs.path(figure.field).path(operation), place(beside) - 1); // without the first
  }

  private double figure(Figure figure, String operation, int servers) {
    if (isWhole()) {
      return of(run.path("figures").path(figure.field).path(operation), place(servers));
    }
    JsonNode table = table(figure);
    int column = 1;
    while (!table.path("columns").path(column).asText().equals(Integer.toString(servers))) {
      column++;
      if (column >= table.path("columns").size()) {
        throw new AssertionError("Not measured with " + servers + ": " + run);
      }
    }
    for (JsonNode row : table.path("rows")) {
      if (row.path(0).asText().equals(operation)) {
        return of(row, column);
      }
    }
    throw new AssertionError("Not measured: " + operation);
  }

  private int place(int servers) {
    JsonNode all = run.path("figures").path("servers");
    for (int place = 0; place < all.size(); place++) {
      if (all.path(place).asInt() == servers) {
        return place;
      }
    }
    throw new AssertionError("Not measured with " + servers + ": " + run);
  }

  private static double of(JsonNode figures, int place) {
    if (!figures.path(place).isNumber()) {
      throw new AssertionError("No figure " + place + ": " + figures);
    }
    return figures.path(place).asDouble();
  }

  private JsonNode table(Figure figure) {
    for (JsonNode table : run.path("tables")) {
      if (table.path("columns").path(0).asText().equals(figure.column)) {
        return table;
      }
    }
    return run.path("no table");
  }
}
