package io.acaciafs.namenode.monitor.history;

/** How far back one looks. */
public enum Window {
  HOUR(10_000, 360),
  DAY(300_000, 288);

  private final long stepMs;
  private final int steps;

  Window(long stepMs, int steps) {
    this.stepMs = stepMs;
    this.steps = steps;
  }

  Ring ring() {
    return new Ring(stepMs, steps);
  }

  /** The hour unless the day is asked for. */
  static Window of(String text) {
    return text.equals("day") ? DAY : HOUR;
  }

  String key() {
    return this == DAY ? "day" : "hour";
  }
}
