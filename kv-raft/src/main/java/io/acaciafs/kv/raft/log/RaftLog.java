package io.acaciafs.kv.raft.log;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import io.acaciafs.kv.rocksdb.log.local.FolderMark;
import io.acaciafs.kv.rocksdb.log.local.LocalLog;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;

/**
 * The log as the store of this member sees it: appends while this member leads, and is durable up
 * to the last batch that was applied. Batches of other leaders do not come through here; {@link
 * RaftMember} hands them to the store.
 *
 * <p>Positions count batches from the first one of the group on, on all members alike.
 */
public final class RaftLog implements CommitLog {
  /** Entries are small, so that heartbeats do not wait for them. */
  public static final int PIECE_BYTES = 1 << 20;

  private static final int COPY_SEGMENT_BYTES = 16 << 20;
  private static final long LONGEST_SYNC_MS = 60_000;

  private final Path folder;
  private final Group group;
  private final Entries entries;
  private final LeaderLease lease;
  private final AppliedIndexes applied;
  private final Runnable onRelease;

  /** The term in which this member leads, and may append; 0: it does not lead. */
  private volatile long term;

  /** For each snapshot that is open, what files held when it began. Under its own lock. */
  private final List<AppliedMark> held = new ArrayList<>();

  private long appended;
  private volatile CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
  private volatile @Nullable StoreException failure;

  /** Sends an entry to the members. */
  @FunctionalInterface
  public interface Group {
    /**
     * Returns when the entry is behind all that were submitted before.
     *
     * @return completes when the entry is applied here; fails when that is not known
     */
    CompletableFuture<Void> submit(ByteString entry);
  }

  /** The entries that the group has taken, as this member keeps them. */
  @FunctionalInterface
  public interface Entries {
    /**
     * Shows entries in their order.
     *
     * @throws IOException when one cannot be read
     */
    void forEach(long afterIndex, long upToIndex, Consumer<RaftEntry> consumer) throws IOException;
  }

  /**
   * @param folder of the store
   * @param entries for copies of the store
   * @param applied what the files of the folder hold, and then every batch that is applied
   * @param onRelease runs when more entries may be forgotten
   */
  public RaftLog(
      Path folder,
      Group group,
      Entries entries,
      LeaderLease lease,
      AppliedIndexes applied,
      Runnable onRelease) {
    this.folder = folder;
    this.group = group;
    this.entries = entries;
    this.lease = lease;
    this.applied = applied;
    this.onRelease = onRelease;
  }

  /** The database of the folder has been opened. */
  public RaftLog open() {
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
  public void begin(long newTerm) {
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
  public void end() {
    term = 0;
    lease.end();
  }

  /** 0: this member does not lead. */
  public long term() {
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

  public static FencedOffException notLeading() {
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

  /** The index up to which files hold all entries, and no snapshot needs them; -1: none. */
  public long forgettable() {
    synchronized (held) {
      return held.stream()
          .mapToLong(AppliedMark::index)
          .min()
          .orElseGet(() -> applied.released().index());
    }
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

  /** Ratis decides on the segments of its log. {@link #sync} makes durable what was appended. */
  @Override
  public long roll() {
    requireTerm();
    return appended + 1;
  }

  /**
   * For a copy that a store on one server opens: it gets a local log with the batches that its
   * files may lack.
   */
  @Override
  public Snapshot snapshot() {
    AppliedMark mark;
    synchronized (held) {
      mark = applied.released();
      held.add(mark);
    }
    return new Snapshot() {
      private boolean isOpen = true;

      @Override
      public void copyTo(Path target) {
        copyAfter(mark, target, RaftLog.this::copyBatches);
      }

      @Override
      public void close() {
        if (isOpen) {
          isOpen = false;
          synchronized (held) {
            held.remove(mark);
          }
          onRelease.run(); // entries that it kept
        }
      }
    };
  }

  private void copyBatches(AppliedMark after, Path target) throws IOException {
    long upTo = applied.last().index();
    BatchPieces pieces = new BatchPieces();
    try (LocalLog copy = LocalLog.open(target, COPY_SEGMENT_BYTES, (p, bytes, from, to) -> {})) {
      entries.forEach(
          after.index(),
          upTo,
          entry -> {
            byte[] batch = entry.isEmpty() ? null : pieces.add(entry);
            if (batch != null && copy.append(ByteBuffer.wrap(batch)) != entry.position()) {
              throw new StoreException("Batches before " + entry.position() + " are missing");
            }
          });
      copy.sync().get(LONGEST_SYNC_MS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the log was copied");
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException("The copy of the log cannot be synced", e);
    }
  }

  /** For a copy that becomes a member, which gets what its files lack from the others. */
  public Snapshot memberSnapshot() {
    AppliedMark mark = applied.released();
    return new Snapshot() {
      @Override
      public void copyTo(Path target) {
        copyAfter(mark, target, AppliedMark::write);
      }

      @Override
      public void close() {}
    };
  }

  /** What a copy gets, besides the mark of its folder. */
  @FunctionalInterface
  private interface Supplement {
    /**
     * @param ofFiles what the copied files hold at least
     */
    void write(AppliedMark ofFiles, Path target) throws IOException;
  }

  private static void copyAfter(AppliedMark mark, Path target, Supplement supplement) {
    try {
      markFolder(target, mark);
      supplement.write(mark, target);
    } catch (IOException e) {
      throw new StoreException("Cannot copy the log to " + target, e);
    }
  }

  /** The log lives longer than a store. */
  @Override
  public void close() {}
}
