package io.acaciafs.kv.rocksdb.log;

import io.acaciafs.kv.StoreException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * The log that makes commits durable: batches of rows in one order. Each batch has a position, from
 * 1 and without gaps. After a restart the log replays every durable batch that the store's files
 * lack. One implementation is on this machine's disk ({@link
 * io.acaciafs.kv.rocksdb.log.local.LocalLog}); another may have the batches on several machines.
 *
 * <p>One thread at a time appends; all else is safe for use by many threads. After a failure each
 * call throws {@link StoreException}, and no batch becomes durable any more. If the log {@linkplain
 * #isReplicated is replicated}, that holds for what appends, and a batch of which nothing is known
 * may be taken yet; {@link #release} goes on, for the batches of the process that appends now.
 */
public interface CommitLog extends AutoCloseable {
  /** Opens a log, and replays it before it returns. */
  @FunctionalInterface
  interface Opener {
    /**
     * @param folder of the store, which exists
     * @param segmentBytes how much the log may hold back before it begins a new file
     * @param replay takes every durable batch that the store's files may lack, in order
     * @throws StoreException when the log is damaged, or cannot be read
     */
    CommitLog open(Path folder, int segmentBytes, Replay replay);
  }

  /** Takes the batches that a log holds at its opening. */
  @FunctionalInterface
  interface Replay {
    /**
     * @param position of the batch
     * @param buffer holds the batch from {@code from} to before {@code to}; not kept by the caller
     */
    void batch(long position, byte[] buffer, int from, int to);
  }

  /**
   * Adds a batch behind all others. {@link #sync} makes it durable.
   *
   * @param batch not empty; the caller may use the buffer again when this returns
   * @return its position
   * @throws StoreException when it is not known whether the batch is in the log
   */
  long append(ByteBuffer batch);

  /**
   * Makes all batches durable that were appended before. Several syncs may be under way; a local
   * log makes them durable on the caller's thread.
   *
   * @return completes, in the order of the calls, when they are; fails with {@link StoreException}
   *     when it is not known what is durable. It may complete on a thread of the log: do not block
   *     there
   */
  CompletableFuture<Void> sync();

  /** The last position that is known to be durable; 0: none. Never goes back. */
  long durable();

  /**
   * The store's files hold all batches up to a position, durably, so that the log need not replay
   * them. Also to be called, with the last position again, when the store has changed its files
   * otherwise.
   */
  void release(long upTo);

  /**
   * Whether appended batches may be taken back while this process goes on, as when another process
   * becomes the one that appends. Then no reply may show a row before its batch is durable.
   */
  boolean isReplicated();

  /**
   * Completes when this process is shown to have been, after the call began, the one that appends:
   * what it read then was the latest. Of a local log at once.
   */
  CompletableFuture<Void> readBarrier();

  /**
   * Whether no other process can append now, so that what this one reads is the latest without a
   * {@link #readBarrier}. Cheap.
   */
  boolean holdsLease();

  /**
   * Begins the next segment if the current one has batches. For the thread that appends. A log on
   * this machine makes everything durable that was appended before; one that {@linkplain
   * #isReplicated is replicated} does not wait, and a {@link #sync} after it does.
   *
   * @return the position of the first batch that the current segment is to have
   */
  long roll();

  /**
   * Keeps all that is not released now until the snapshot is closed, for a copy of the store: its
   * files are copied first, then the log.
   */
  Snapshot snapshot();

  /** What a copy of the store needs of the log. Used by one thread. */
  interface Snapshot extends AutoCloseable {
    /**
     * Copies the log to a folder, durably: at least what was appended before the call, from the
     * first batch on that was not released when the snapshot began.
     */
    void copyTo(Path folder);

    @Override
    void close();
  }

  /**
   * Ends the log; there are no further appends. If all batches are released, the next opening has
   * nothing to replay.
   */
  @Override
  void close();
}
