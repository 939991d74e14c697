package io.acaciafs.kv.engine;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.check.CheckListener;
import io.acaciafs.kv.check.Pace;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/**
 * One of several servers that each keep the whole store. They elect a leader among themselves; its
 * process alone has a store to write to, for as long as it leads. Safe for use by many threads.
 */
public interface Replica extends AutoCloseable {
  /** Is told of this server's part; one call at a time, on a thread of the replica. */
  interface Listener {
    /**
     * This server leads. It no longer does at the latest when the store fails to write.
     *
     * @param store with all that was committed before; the replica closes it after {@link #follow},
     *     or when this method fails
     * @throws IOException when this process cannot serve; another one is to lead
     */
    void lead(EngineStore store, long term) throws IOException;

    /**
     * This server leads no more: returns when the store is used no more. Not called where {@link
     * #lead} failed.
     */
    void follow();

    /** This server can take part no more, and the process is to end. */
    void failed(Throwable cause);
  }

  /**
   * Begins to take part.
   *
   * @throws IOException with a sentence for people, when it cannot
   */
  void start(Listener listener) throws IOException;

  ReplicaStatus status();

  /** How far the start is. */
  ReplicaStart startProgress();

  /**
   * What this server has applied, for reads alone: each transaction sees the store as it was after
   * one batch. Reads fail with a {@link io.acaciafs.kv.StoreException} while a copy of the store is
   * installed, and after {@link #close}.
   */
  Store applied();

  /**
   * Copies of what this server has applied, whether it leads or not. Each is a store that needs no
   * other server, with all up to {@link #position} at the time of the call.
   */
  Checkpoints checkpoints();

  /**
   * Of the last batch that this server has applied. Positions are the same on all servers; a commit
   * that has completed is in a batch at or before the leader's. Quick.
   */
  long position();

  /**
   * Waits for a batch of other servers. The caller bounds its wait, as it may never come.
   *
   * @return completes when this server has applied it, on a thread that must not be held up
   */
  CompletableFuture<Void> await(long position);

  /**
   * Hands over leadership; at most a second without a leader. On a server that does not lead
   * nothing happens.
   *
   * @param to the server that is to lead; empty: any other one
   * @throws IOException with a sentence for people, when that server cannot lead now
   */
  void transfer(String to) throws IOException;

  /**
   * Adds a server to the group, which runs and waits for it; returns when that one has caught up.
   *
   * @param address where it listens for the others, {@code host:port}
   * @throws IOException with a sentence for people, when it is not added
   */
  void addMember(String name, String address) throws IOException;

  /**
   * Removes a server from the group, dead or alive; one that is alive ends.
   *
   * @throws IOException with a sentence for people, when it is not removed
   */
  void removeMember(String name) throws IOException;

  /**
   * Compares the stores of all servers with this one's, row by row, as they are at one moment of
   * this call. Nobody waits meanwhile. What differs is told as damage, and of servers that did not
   * answer it is told that they were not compared. Of passing tables nothing is compared.
   *
   * @param pace how much of its time it works
   * @return rows that were compared
   * @throws IOException with a sentence for people, when this server does not lead, or no longer
   *     does
   */
  long compare(Pace pace, CheckListener listener) throws IOException, InterruptedException;

  /** Takes part no more. A store that leads is closed before, by {@link Listener#follow}. */
  @Override
  void close();
}
