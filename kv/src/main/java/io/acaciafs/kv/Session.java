package io.acaciafs.kv;

import java.util.concurrent.CompletableFuture;

/**
 * How a process takes part in a store that several processes use at the same time. The order of the
 * calls: {@link #bindTo} a row that lives as long as the process, {@link #connect} to the others,
 * {@link #rely} on hearing them. Safe for use by many threads.
 */
public interface Session {
  /** Of an engine whose data one process alone can open. */
  Session ALONE =
      new Session() {
        @Override
        public void bindTo(Key session) {
          // nobody could fence this process off
        }

        @Override
        public void connect(Peers peers) {
          // there are none
        }

        @Override
        public void rely() {
          // on what this process knows, which is all
        }

        @Override
        public CompletableFuture<String> receive(String message) {
          return CompletableFuture.failedFuture(
              new StoreException("This store has no other processes to hear from"));
        }

        @Override
        public CompletableFuture<Void> fenceOff(Key session) {
          return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> settle() {
          return CompletableFuture.completedFuture(null);
        }
      };

  /**
   * Binds what this store writes to a row of its user: once another process has removed that row
   * and {@linkplain #fenceOff fenced it off}, no write of this store takes effect any more, however
   * late its request arrives. Called once, before the writes that are to be bound. The table of the
   * row holds the rows by which processes find each other: a process writes them without telling
   * the others first.
   *
   * @param session the key of a row that exists, and never comes again once it is gone
   */
  void bindTo(Key session);

  /**
   * Gives the store its connection to the other processes. The store may have to tell them before
   * it commits, and then waits until they have heard it. Called once, when others can reach this
   * process too. Commits between {@link #bindTo} and this call wait for it, except in the table of
   * the session's row.
   */
  void connect(Peers peers);

  /**
   * From now on all others know this process and send it their messages, so it may rely on having
   * heard all of them. Without this call all answers are still correct, but reads may take longer.
   */
  void rely();

  /**
   * Takes a message that the store of another process {@linkplain Peers#tell sent}.
   *
   * @return completes with the answer when this store no longer relies on what the message revokes;
   *     fails with {@link StoreException} for a message that makes no sense
   */
  CompletableFuture<String> receive(String message);

  /**
   * Ends the writing of another process on the same data.
   *
   * @param session the row that its store is bound to; it is gone
   * @return completes when no write that is bound to it takes effect any more; fails with {@link
   *     StoreException} when that is not certain: to be called again
   */
  CompletableFuture<Void> fenceOff(Key session);

  /**
   * Waits out commits of this store that failed although they may still be on their way.
   *
   * @return completes when none that failed before this call can take effect later; fails when the
   *     store ends before
   */
  CompletableFuture<Void> settle();
}
