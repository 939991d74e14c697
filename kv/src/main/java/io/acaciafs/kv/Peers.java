package io.acaciafs.kv;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The other processes that use a store at the same time, for an engine that has to tell them
 * something: its user carries what it says to them. Safe for use by many threads.
 */
public interface Peers {
  /**
   * Has all others {@linkplain Store#hear hear} something.
   *
   * @param message understood by stores of the same engine alone
   * @return completes with the answers when each of those that may rest on anything has answered:
   *     one that does not is waited for until its {@linkplain Store#bindTo life} is gone and its
   *     lease is over; fails when one neither answers nor ends. Completes on any thread: do not
   *     block there
   */
  CompletableFuture<List<String>> tell(String message);

  /**
   * Whether no other process can have come to take this one for gone, and so have told the others
   * something without this one. Who answers from what he would have been told asks this when
   * everything is read. Cheap.
   */
  boolean leaseHolds();
}
