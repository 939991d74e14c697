package io.acaciafs.web;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The attributes of a JMX bean, by name. An attribute whose value is null is not there: what is not
 * known is left out, and not guessed.
 *
 * <p>Values are strings, numbers, booleans, maps of these or of such maps, or {@link Fields}; they
 * are asked for one by one, by any thread.
 */
public final class Bean {
  /**
   * One thing with named fields, where a map would be a table.
   *
   * @param values strings, numbers or booleans, in order
   */
  public record Fields(Map<String, Object> values) {}

  private final String name;
  private final Supplier<Map<String, Object>> attributes;

  private Bean(String name, Supplier<Map<String, Object>> attributes) {
    this.name = name;
    this.attributes = attributes;
  }

  /**
   * A bean whose attributes are computed together, each time that somebody asks for one.
   *
   * @param name as in {@code Hadoop:service=NameNode,name=...}
   */
  public static Bean of(String name, Supplier<Map<String, Object>> attributes) {
    return new Bean(name, attributes);
  }

  String name() {
    return name;
  }

  /** Those that are known now, in order. */
  Map<String, Object> read() {
    Map<String, Object> known = new LinkedHashMap<>(attributes.get());
    known.values().removeIf(value -> value == null);
    return known;
  }
}
