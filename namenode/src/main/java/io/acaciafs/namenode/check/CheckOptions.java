package io.acaciafs.namenode.check;

/**
 * What is asked of a check.
 *
 * @param repairs whether it mends what it finds
 * @param workPercent what part of its time it works, 1 to 100; the rest it leaves to others
 * @param settleMs in which whatever is being committed has ended; less than 0: as the engine needs
 * @param membersOnly whether it only compares the stores of a group of NameNodes
 */
public record CheckOptions(boolean repairs, int workPercent, long settleMs, boolean membersOnly) {
  /** Half of its time, on one thread. */
  public static final int DEFAULT_WORK_PERCENT = 50;

  public CheckOptions(boolean repairs, int workPercent) {
    this(repairs, workPercent, -1);
  }

  public CheckOptions(boolean repairs, int workPercent, long settleMs) {
    this(repairs, workPercent, settleMs, false);
  }

  /** The same for a comparison alone. */
  public CheckOptions ofMembersOnly() {
    return new CheckOptions(repairs, workPercent, settleMs, true);
  }

  public CheckOptions {
    if (workPercent < 1 || workPercent > 100) {
      throw new IllegalArgumentException("A share of time is from 1 to 100 %: " + workPercent);
    }
  }
}
