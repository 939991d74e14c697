package io.acaciafs.kv.raft;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.local.FolderMark;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The log as the store of this member sees it: appends while this member leads, and is durable up
 * to the last batch that was applied. Batches of other leaders do not come through here; {@link
 * RaftMember} hands them to the store.
 *
 * <p>Positions count batches from the first one of the group on, on all members alike.
 */
final class RaftLog implements CommitLog {
  /** Entries are small, so that heartbeats do not wait for them. */
  static final int PIECE_BYTES = 1 << 20;

  private final Path folder;
  private final Group group;
  private final LeaderLease lease;
  private final AppliedIndexes applied;
  private final Runnable onRelease;

  /** The term in which this member leads, and may append; 0: it does not lead. */
  private volatile long term;

  private long appended;
  private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private volatile @Nullable StoreException failure;

  /** Sends an entry to the members. */
  @FunctionalInterface
  interface Group {
    /**
     * Returns when the entry is behind all that were submitted before.
     *
     * @return completes when the entry is applied here; fails when that is not known
     */
    CompletableFuture<Void> submit(ByteString entry);
  }

  /**
   * @param folder of the store
   * @param applied what the files of the folder hold, and then every batch that is applied
   * @param onRelease runs when files hold more
   */
  RaftLog(Path folder, Group group, LeaderLease lease, AppliedIndexes applied, Runnable onRelease) {
    this.folder = folder;
    this.group = group;
    this.lease = lease;
    this.applied = applied;
    this.onRelease = onRelease;
  }

  /** The database of the folder has been opened. */
  RaftLog open() {
    try {
      markFolder(folder, applied.released());
    } catch (IOException e) {
      throw new StoreException("Cannot write the mark of folder " + folder, e);
    }
    return this;
  }

  /** As a log on this machine would that has ended in order. */
  private static void markFolder(Path marked, AppliedMark mark) throws IOException {
    new FolderMark(mark.position() + 1, mark.position(), 0, 0, Manifest.durableIn(marked))
        .write(marked);
  }

  /** This member leads, and all batches before are applied. */
  void begin(long newTerm) {
    appended = applied.position();
    last = CompletableFuture.completedFuture(null);
    failure = null;
    term = newTerm;
    lease.begin();
  }

  /** What makes it impossible to append in this term; null as long as nothing does. */
  @Nullable StoreException failure() {
    return failure;
  }

  /** It leads no more. */
  void end() {
    term = 0;
    lease.end();
  }

  /** 0: this member does not lead. */
  long term() {
    return term;
  }

  @Override
  public long append(ByteBuffer batch) {
    long ofTerm = requireTerm();
    long position = ++appended;
    int pieces = Math.max(1, (batch.remaining() + PIECE_BYTES - 1) / PIECE_BYTES);
    ByteBuffer rest = batch.duplicate();
    for (int piece = 0; piece < pieces; piece++) {
      ByteBuffer bytes = rest.duplicate();
      bytes.limit(Math.min(rest.limit(), rest.position() + PIECE_BYTES));
      rest.position(bytes.limit());
      last = submit(new RaftEntry(ofTerm, position, piece, piece == pieces - 1, bytes));
      last.exceptionally(
          failed -> {
            fail(ofTerm, failed);
            return null;
          });
    }
    return position;
  }

  private long requireTerm() {
    StoreException failed = failure;
    if (failed != null) {
      throw new FencedOffException("The log has failed: " + failed.getMessage(), failed);
    }
    long ofTerm = term;
    if (ofTerm == 0) {
      throw notLeading();
    }
    return ofTerm;
  }

  static FencedOffException notLeading() {
    return new FencedOffException("This NameNode no longer leads; another one does, or soon will");
  }

  private CompletableFuture<Void> submit(RaftEntry entry) {
    long sentNs = lease.now();
    return group.submit(entry.encode()).thenRun(() -> lease.prove(sentNs));
  }

  /** No later batch of a term may become durable: the one that failed would be missing. */
  private void fail(long ofTerm, Throwable cause) {
    if (failure == null && term == ofTerm) {
      failure =
          new FencedOffException("What was written may not be on a majority of members", cause);
    }
  }

  @Override
  public CompletableFuture<Void> sync() {
    try {
      requireTerm();
      return last;
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public long durable() {
    return applied.position();
  }

  @Override
  public void release(long upTo) {
    AppliedMark mark = applied.release(upTo);
    if (mark == null) {
      return;
    }
    try {
      markFolder(folder, mark);
      mark.write(folder);
    } catch (IOException e) {
      throw new StoreException("Cannot write the mark of folder " + folder, e);
    }
    applied.released(mark);
    onRelease.run();
  }

  @Override
  public boolean isReplicated() {
    return true;
  }

  @Override
  public CompletableFuture<Void> readBarrier() {
    long ofTerm = term;
    return ofTerm == 0
        ? CompletableFuture.failedFuture(notLeading())
        : submit(RaftEntry.empty(ofTerm));
  }

  @Override
  public boolean holdsLease() {
    return lease.isHeld();
  }

  /** Ratis decides on the segments of its log. */
  @Override
  public long roll() {
    return appended + 1;
  }

  /**
   * Its folder is a member's: what is not in the files comes from the other members when it opens.
   */
  @Override
  public Snapshot snapshot() {
    AppliedMark mark = applied.released();
    return new Snapshot() {
      @Override
      public void copyTo(Path target) {
        try {
          markFolder(target, mark);
          mark.write(target);
        } catch (IOException e) {
          throw new StoreException("Cannot write the mark of folder " + target, e);
        }
      }

      @Override
      public void close() {}
    };
  }

  /** The log lives longer than a store. */
  @Override
  public void close() {}
}
