package io.acaciafs.bench.client;

/** Wants to know how far a run is. Called by the thread that waits for the run. */
public interface Watcher {

  /**
   * A moment of a run.
   *
   * @param fraction how much of it is done, 0 to 1; negative when that is not known
   * @param operationsPerSecond lately
   */
  void progress(double fraction, double operationsPerSecond);
}
