package io.acaciafs.kv.engine;

import java.util.function.LongSupplier;

/**
 * A figure of an engine.
 *
 * @param name as it appears in {@code /metrics}, see docs/monitoring.md
 * @param help what it means, for people
 * @param value reads it now; quick, from any thread
 */
public record StoreMetric(String name, String help, Kind kind, LongSupplier value) {
  /** How a figure changes. */
  public enum Kind {
    /** Only grows, from the start of the process. */
    COUNTER,
    /** Goes up and down. */
    GAUGE
  }

  public static StoreMetric counter(String name, String help, LongSupplier value) {
    return new StoreMetric(name, help, Kind.COUNTER, value);
  }

  public static StoreMetric gauge(String name, String help, LongSupplier value) {
    return new StoreMetric(name, help, Kind.GAUGE, value);
  }
}
