package io.acaciafs.bench;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.acaciafs.bench.client.Shape;
import java.util.List;
import java.util.Locale;

/** Measurements for people and for machines. Stateless. */
public final class Report {
  private Report() {}

  /** The head of the lines that {@link #line} makes. */
  public static String head() {
    return String.format(
        Locale.ROOT,
        "%-18s %10s %10s %10s %10s %14s %14s",
        "operation",
        "ops/s",
        "p50 us",
        "p99 us",
        "p99.9 us",
        "server CPU us",
        "generator us");
  }

  /** One line. */
  public static String line(Measurement measurement) {
    return String.format(
        Locale.ROOT,
        "%-18s %,10.0f %,10.0f %,10.0f %,10.0f %14s %14.1f",
        measurement.operation(),
        measurement.operationsPerSecond(),
        measurement.percentileUs(50),
        measurement.percentileUs(99),
        measurement.percentileUs(99.9),
        measurement.serverCpuUs().isEmpty()
            ? "-"
            : String.format(Locale.ROOT, "%.1f", measurement.serverCpuUs().getAsDouble()),
        measurement.generatorCpuUs());
  }

  /** One line for each class of failure. */
  public static List<String> failures(Measurement measurement) {
    return measurement.failures().entrySet().stream()
        .map(
            each ->
                String.format(
                    Locale.ROOT,
                    "  %s: %,d calls failed with %s: %s",
                    measurement.operation(),
                    each.getValue().count(),
                    each.getKey(),
                    each.getValue().example()))
        .toList();
  }

  /** All measurements of one run as JSON. */
  public static String json(Shape shape, List<Measurement> measurements) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("connections", shape.connections());
    root.put("calls_in_flight", shape.callsInFlight());
    ObjectNode operations = root.putObject("operations");
    for (Measurement each : measurements) {
      ObjectNode node = operations.putObject(each.operation());
      node.put("operations", each.operations());
      node.put("seconds", each.seconds());
      node.put("ops_per_second", each.operationsPerSecond());
      node.put("p50_us", each.percentileUs(50));
      node.put("p99_us", each.percentileUs(99));
      node.put("p999_us", each.percentileUs(99.9));
      each.serverCpuUs()
          .ifPresentOrElse(value -> node.put("cpu_us", value), () -> node.putNull("cpu_us"));
      node.put("generator_cpu_us", each.generatorCpuUs());
      ObjectNode errors = node.putObject("errors");
      each.failures().forEach((kind, failure) -> errors.put(kind, failure.count()));
    }
    return root.toPrettyString();
  }
}
