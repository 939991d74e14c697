package io.acaciafs.bench.client;

/** Measures something beside the operations of a run. Called by the thread that waits for it. */
public interface Meter {

  /** The measured span begins. */
  void start();

  /** It has ended. */
  void stop();
}
