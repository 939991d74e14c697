package io.acaciafs.namenode.monitor.history;

import java.time.Clock;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a process did since its start, up to 24 hours: the last hour in steps of 10 seconds, the day
 * in steps of 5 minutes. Takes about 72 KB, and is gone with the process. What was kept for a time
 * to which the clock was set back is overwritten. Safe for use by many threads.
 */
public final class History {
  /** How often a sample is to be added. */
  public static final long INTERVAL_MS = 10_000;

  private static final Series[] ALL = Series.values();

  /** Numbers below it are rounded to hundredths, others to whole numbers. */
  private static final float LARGE = 100;

  private final Clock clock;
  private final Map<Window, Ring> rings = new EnumMap<>(Window.class);

  public History(Clock clock) {
    this.clock = clock;
    for (Window window : Window.values()) {
      rings.put(window, window.ring());
    }
  }

  /**
   * @param sample a number for each series, by its ordinal; NaN: not known
   */
  synchronized void add(float[] sample) {
    long nowMs = clock.millis();
    rings.values().forEach(ring -> ring.add(nowMs, sample));
  }

  /**
   * What an answer in JSON says of a window: its step, the begin of its last step, and of each
   * series that has any number the numbers, the oldest first; null stands for a step without one.
   */
  synchronized Map<String, Object> shown(Window window) {
    Ring ring = Objects.requireNonNull(rings.get(window), "each has one");
    long nowMs = clock.millis();
    Map<String, Object> shown = new LinkedHashMap<>();
    shown.put("stepMs", ring.stepMs());
    shown.put("lastMs", ring.beginOfStep(nowMs));
    Map<String, Object> series = new LinkedHashMap<>();
    for (Series each : ALL) {
      List<@Nullable Number> numbers = numbers(ring.read(each, nowMs));
      if (numbers.stream().anyMatch(number -> number != null)) {
        series.put(each.key(), numbers);
      }
    }
    shown.put("series", series);
    return shown;
  }

  private static List<@Nullable Number> numbers(float[] values) {
    List<@Nullable Number> numbers = new ArrayList<>(values.length);
    for (float value : values) {
      numbers.add(Float.isNaN(value) ? null : rounded(value));
    }
    return numbers;
  }

  private static Number rounded(float value) {
    long whole = Math.round((double) value);
    if (whole == value || Math.abs(value) >= LARGE) {
      return whole;
    }
    return Math.round(value * 100d) / 100d;
  }
}
