package io.acaciafs.kv.raft.call;

import java.util.concurrent.CompletableFuture;

/** Asks another member. Safe for use by many threads. */
public interface MemberConnection extends AutoCloseable {
  /**
   * Sends a request.
   *
   * @param patienceMs for how long the answer is waited for
   * @return fails with an IOException, which has a sentence for people
   */
  CompletableFuture<byte[]> ask(byte[] request, long patienceMs);

  @Override
  void close();
}
