package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The costs of requests in {@code costs.json} follow from measurements, and this is how. */
class FittedCostsTest {
  @Test
  void aRequestIsWhatSmallGroupsCostMore() throws IOException, InputException {
    assertThat(requestUs("stat")).isCloseTo(figure("readRequestCpuUs"), within(1.0));
    assertThat(requestUs("mkdir")).isCloseTo(figure("commitRequestCpuUs"), within(1.0));
  }

  @Test
  void mostOfARequestIsTheNameNodes() throws IOException, InputException {
    assertThat(nameNodeShare("stat")).isCloseTo(figure("readNameNodeShare"), within(0.01));
    assertThat(nameNodeShare("mkdir")).isCloseTo(figure("commitNameNodeShare"), within(0.01));
  }

  /** The slope of what a call costs over its part of a request; relative errors are least. */
  private static double requestUs(String call) throws IOException {
    double weights = 0;
    double parts = 0;
    double costs = 0;
    double squares = 0;
    double products = 0;
    for (JsonNode row : sharing(call)) {
      double part = 1 / row.path(1).asDouble();
      double cost = row.path(2).asDouble() + row.path(3).asDouble();
      double weight = 1 / (cost * cost);
      weights += weight;
      parts += weight * part;
      costs += weight * cost;
      squares += weight * part * part;
      products += weight * part * cost;
    }
    return (weights * products - parts * costs) / (weights * squares - parts * parts);
  }

  /** Of what a call alone costs more than one in the fullest requests. */
  private static double nameNodeShare(String call) throws IOException {
    List<JsonNode> rows = sharing(call);
    JsonNode alone = rows.get(0);
    JsonNode full = rows.get(rows.size() - 1);
    double nameNode = alone.path(2).asDouble() - full.path(2).asDouble();
    return nameNode / (nameNode + alone.path(3).asDouble() - full.path(3).asDouble());
  }

  private static List<JsonNode> sharing(String call) throws IOException {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode row :
        MeasuredTable.experiment("calls that share a request, with the coprocessor").path("rows")) {
      if (row.path(0).asText().equals(call)) {
        rows.add(row);
      }
    }
    return rows;
  }

  /**
   * With one server and the same work otherwise: deletes in 256 directories, and removals in one.
   */
  @Test
  void aCounterIsWhatADeleteCostsLessInOneDirectory() throws IOException, InputException {
    double inMany = MeasuredTable.of("giraffa.json", "2026-11-29", "d9872e76").cpuUs("delete", 1);
    double inOne = MeasuredTable.of("metarates.json", "2026-11-29", "d9872e76").cpuUs("remove", 1);
    double counters = (SharedRequests.distinct(256, 64) - SharedRequests.distinct(1, 64)) / 64;
    assertThat((inMany - inOne) / counters).isCloseTo(figure("counterRowCpuUs"), within(1.0));
  }

  private static double figure(String name) throws IOException, InputException {
    return CostsReader.of(MeasuredTable.RESULTS).figure(name);
  }

  /**
   * The CPU of a read goes with this power of the time of a piece of work that is always the same:
   * reads of the same work, with the same number of servers, at times when the machine was faster
   * or slower.
   */
  static double readsByPieces() throws IOException {
    double products = 0;
    double squares = 0;
    for (JsonNode row :
        MeasuredTable.experiment("reads by rounds, and a piece of work that is always the same")
            .path("rows")) {
      double cpu = meanLog(row.path(1));
      double piece = meanLog(row.path(2));
      for (int i = 0; i < row.path(1).size(); i++) {
        double x = Math.log(row.path(2).path(i).asDouble()) - piece;
        products += x * (Math.log(row.path(1).path(i).asDouble()) - cpu);
        squares += x * x;
      }
    }
    return products / squares;
  }

  private static double meanLog(JsonNode figures) {
    double sum = 0;
    for (JsonNode figure : figures) {
      sum += Math.log(figure.asDouble());
    }
    return sum / figures.size();
  }
}
