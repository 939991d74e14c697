package io.acaciafs.bench.client;

import java.util.function.IntFunction;

/** One of the clients of a generator. For its network thread, but for {@link #onLoop}. */
interface Client {
  /** Runs something on the network thread; any thread. */
  void onLoop(Runnable task);

  /** Gives each slot its calls and makes the first of them. */
  void start(IntFunction<CallSource> sources);

  /** No slot begins a new operation. */
  void stop();
}
