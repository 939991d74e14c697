package io.acaciafs.namenode.monitor.history;

import java.util.Arrays;

/**
 * Samples of all {@link Series} in steps of equal length, of which the last ones are kept. A step
 * without a sample is NaN. Takes six bytes for each step and series. Not thread-safe.
 */
final class Ring {
  private static final Series[] ALL = Series.values();

  private final long stepMs;
  private final int steps;

  /** The number of the step, since 1970, whose samples a place holds. */
  private final long[] stepAt;

  private final float[] values;

  /** How many samples a value is of. */
  private final short[] counts;

  Ring(long stepMs, int steps) {
    this.stepMs = stepMs;
    this.steps = steps;
    this.stepAt = new long[steps];
    this.values = new float[steps * ALL.length];
    this.counts = new short[steps * ALL.length];
    Arrays.fill(stepAt, -1);
  }

  long stepMs() {
    return stepMs;
  }

  /**
   * @param sample a number for each series, by its ordinal; NaN: not known
   */
  void add(long atMs, float[] sample) {
    long step = Math.floorDiv(atMs, stepMs);
    int place = (int) Math.floorMod(step, (long) steps);
    int from = place * ALL.length;
    if (stepAt[place] != step) {
      stepAt[place] = step;
      Arrays.fill(values, from, from + ALL.length, Float.NaN);
      Arrays.fill(counts, from, from + ALL.length, (short) 0);
    }
    for (Series series : ALL) {
      float next = sample[series.ordinal()];
      int at = from + series.ordinal();
      if (!Float.isNaN(next)) {
        counts[at] = (short) Math.min(Short.MAX_VALUE, counts[at] + 1);
        values[at] = counts[at] == 1 ? next : series.fold().next(values[at], next, counts[at]);
      }
    }
  }

  /** The begin of the step that this moment is in, milliseconds since 1970. */
  long beginOfStep(long nowMs) {
    return nowMs - Math.floorMod(nowMs, stepMs);
  }

  /** The steps up to now, the oldest first. */
  float[] read(Series series, long nowMs) {
    long last = Math.floorDiv(nowMs, stepMs);
    float[] read = new float[steps];
    for (int i = 0; i < steps; i++) {
      long step = last - steps + 1 + i;
      int place = (int) Math.floorMod(step, (long) steps);
      read[i] = stepAt[place] == step ? values[place * ALL.length + series.ordinal()] : Float.NaN;
    }
    return read;
  }
}
