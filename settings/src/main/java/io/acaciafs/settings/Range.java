package io.acaciafs.settings;

import java.util.function.LongFunction;

/**
 * The whole numbers that a setting may have.
 *
 * @param least the smallest one
 * @param most the largest one; {@link Long#MAX_VALUE}: there is none
 */
public record Range(long least, long most) {

  /** From a number on. */
  public static Range atLeast(long least) {
    return new Range(least, Long.MAX_VALUE);
  }

  /** From a number to another one, both included. */
  public static Range between(long least, long most) {
    return new Range(least, most);
  }

  boolean contains(long value) {
    return value >= least && value <= most;
  }

  /** For people. */
  String text(LongFunction<String> format) {
    return most == Long.MAX_VALUE
        ? "at least " + format.apply(least)
        : format.apply(least) + " to " + format.apply(most);
  }
}
