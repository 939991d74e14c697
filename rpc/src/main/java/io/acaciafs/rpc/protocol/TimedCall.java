package io.acaciafs.rpc.protocol;

/** When the stages of a call began; {@link System#nanoTime()}. */
public interface TimedCall extends EndedCall {
  /** When the server began to process the call. */
  long startedNanos();

  /** When the method began to run first, or 0. */
  long runNanos();

  /** When the method returned last, perhaps a future; 0 if it has not. */
  long returnedNanos();

  /** How many attempts of the method {@linkplain #attach attached} something. */
  int attempts();
}
