package io.acaciafs.model;

/**
 * Something that can run out.
 *
 * @param used of it, in the unit
 * @param most that there is, in the unit
 * @param grows whether more servers give more of it
 */
public record Limit(String name, double used, double most, String unit, boolean grows) {

  /** From 0; from 1 on there is not enough. */
  public double part() {
    return used / most;
  }
}
