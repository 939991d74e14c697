package io.acaciafs.namenode.monitor.history;

import java.util.Map;

/** Figures as they are now, beside calls and heap. Waits for no more than a second. */
@FunctionalInterface
public interface Gauges {
  /** What is not known is not there. */
  Map<Series, Number> read();
}
