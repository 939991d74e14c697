package io.acaciafs.kv.check;

/** Hears what a check does and finds. Called by its thread. */
public interface CheckListener {
  /** What became of a finding. */
  enum Outcome {
    FOUND,
    REPAIRED,
    NOT_REPAIRED
  }

  void found(Finding finding, Outcome outcome);

  /** Something could not be looked at, as others change it all the time, or it is too much. */
  void notChecked(String what);

  /**
   * Called every few seconds, also while nothing happens.
   *
   * @param rows seen of this step
   * @param expected about how many there will be; less than 0: nobody knows
   */
  void progress(String step, long rows, long expected);

  /**
   * Called before {@link #progress} where a check has several steps.
   *
   * @param rows seen of all steps
   */
  default void seen(long rows) {}
}
