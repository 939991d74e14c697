package io.acaciafs.kv.engine;

/**
 * What a server does from its start until it takes its part in the group, at one moment. Its store
 * is open by then.
 *
 * @param log entries of the log that it has applied since its start, of those it knows to be
 *     committed
 * @param copy bytes of a copy of the leader's store that are here, of all; 0 of 0 where none is
 *     made
 * @param logReadMs from the opening of the store until the log was read, or until now
 * @param doneMs from the opening of the store until it took its part, or until now
 */
public record ReplicaStart(Step step, Counted log, Counted copy, long logReadMs, long doneMs) {
  /** What it does. */
  public enum Step {
    /** It reads its log, and applies what is committed and not in its store. */
    READS_LOG,

    /** It lacks what the leader's log no longer has. This may come long after the start, too. */
    COPIES_STORE,

    /** It has all that it knows of. */
    AWAITS_LEADER,

    /** It has been as far as a leader. */
    DONE
  }

  /** So much of so much. */
  public record Counted(long done, long all) {
    public static final Counted NOTHING = new Counted(0, 0);
  }
}
