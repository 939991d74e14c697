package io.acaciafs.bench.client;

/** Measures something beside the operations of a run. Called by the thread that waits for it. */
public interface Meter {
  /** Measures nothing. */
  Meter NONE =
      new Meter() {
        @Override
        public void start() {}

        @Override
        public void stop() {}
      };

  /** The measured span begins. */
  void start();

  /** It has ended. */
  void stop();
}
