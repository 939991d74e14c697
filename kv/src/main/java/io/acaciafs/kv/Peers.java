package io.acaciafs.kv;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The other processes that use a store at the same time. The user of the store delivers the
 * engine's messages to them. Safe for use by many threads.
 */
public interface Peers {
  /**
   * Sends a message to all others, which {@linkplain Session#receive receive} it.
   *
   * @param message understood by stores of the same engine alone
   * @return completes with the answers when each relevant process has answered. If one does not
   *     answer, the call waits until its {@linkplain Session#bindTo session} is gone and its lease
   *     is over. Fails when a process neither answers nor ends. Completes on any thread: do not
   *     block there
   */
  CompletableFuture<List<String>> tell(String message);

  /**
   * Whether no other process can have taken this one for gone, and told the others something
   * without it. A caller that relies on hearing such messages asks this after its last read. Cheap.
   */
  boolean leaseHolds();
}
