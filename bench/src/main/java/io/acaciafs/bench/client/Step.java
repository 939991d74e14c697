package io.acaciafs.bench.client;

/** What a source of calls has done when it was asked for the next one. */
public enum Step {
  /** Written a call. */
  CALL,
  /** Written none; it calls {@link Slot#resume} when it can go on. */
  WAIT,
  /** Written none, and there will be none. */
  END
}
