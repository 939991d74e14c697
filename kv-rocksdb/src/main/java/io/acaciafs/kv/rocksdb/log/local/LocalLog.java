package io.acaciafs.kv.rocksdb.log.local;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log on this machine's disk. The position of a batch is the number of its record. After a
 * crash {@link LogRecovery} finds the batches that are in no file of RocksDB.
 *
 * <p>A segment has its full length from its beginning, and one whose batches are all released is
 * used again. So a sync writes the pages of its batches and nothing else: where a file grows, its
 * inode is written each time as well, or a journal.
 *
 * <p>The {@link FolderMark} says which segments there have to be: it is written before one goes,
 * and before the first record of a new one.
 *
 * <p>A sync waits for the disk, on the caller's thread.
 */
public final class LocalLog implements CommitLog {
  private static final Logger LOG = LoggerFactory.getLogger(LocalLog.class);
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  /** How many are kept to be used again. */
  public static final int SEGMENTS = 4;

  private final Path folder;
  private final int segmentBytes;
  private final Disk disk;

  /**
   * Those before the current one, oldest first; the appending thread changes them, under the lock.
   */
  private final Deque<LogSegment> full = new ArrayDeque<>();

  private LogSegment current;

  /**
   * From the mark: the log may remove segments whose records are all before this one. Under the
   * lock.
   */
  private long firstNeeded;

  private final PageBuffer pages = new PageBuffer();
  private volatile long appended;
  private volatile long synced;

  /** Batches up to this position are in RocksDB's files. Under the lock. */
  private long released;

  private volatile @Nullable StoreException failure;

  /** Snapshots under way, which need all segments. Under the lock. */
  private int copies;

  /** Held while the disk is synced, and while the current segment changes. */
  private final Object lock = new Object();

  /** As {@link CommitLog.Opener#open}. */
  public static LocalLog open(Path folder, int segmentBytes, Replay replay) {
    return open(folder, segmentBytes, replay, Disk.SYSTEM);
  }

  static LocalLog open(Path folder, int segmentBytes, Replay replay, Disk disk) {
    LogRecovery recovery = new LogRecovery(folder, replay, disk);
    recovery.run();
    return new LocalLog(recovery, segmentBytes, disk);
  }

  /**
   * @param recovered has run; the log goes on behind what it found
   * @param segmentBytes of which {@link #SEGMENTS} are kept to be used again
   */
  LocalLog(LogRecovery recovered, int segmentBytes, Disk disk) {
    this.folder = recovered.folder();
    this.segmentBytes = segmentBytes;
    this.disk = disk;
    this.appended = recovered.last();
    this.synced = recovered.last();
    full.addAll(recovered.segments());
    this.released = full.isEmpty() ? appended : full.getFirst().first() - 1;
    try {
      takeOver(recovered.useless());
      current = begin(segmentBytes);
      mark();
    } catch (IOException e) {
      throw fail("Cannot begin the log", e);
    }
  }

  /** What is useless has the name of the next segment, perhaps. */
  private void takeOver(List<LogSegment> useless) throws IOException {
    firstNeeded = released + 1;
    new FolderMark(firstNeeded, appended, 0, 0, Manifest.durableIn(folder)).write(folder);
    for (LogSegment segment : useless) {
      segment.delete();
    }
    LogSegment.syncFolder(folder);
  }

  @Override
  public long append(ByteBuffer batch) {
    checkHealth();
    try {
      int bytes = Math.addExact(LogRecord.HEADER_BYTES, batch.remaining());
      if (pages.end() + bytes > current.capacity()) {
        makeRoom(Math.max(segmentBytes, PageBuffer.roundUp(bytes)));
      }
      LogRecord.put(pages.room(bytes), current.first(), appended + 1, synced, batch);
      current.write(pages.ready(bytes), pages.start());
      pages.advance(bytes);
      current.added(pages.end());
      return ++appended;
    } catch (StoreException e) { // of the room, which says all
      throw e;
    } catch (IOException | RuntimeException e) {
      throw fail("Cannot write to the log", e);
    }
  }

  @Override
  public CompletableFuture<Void> sync() {
    try {
      force();
      return DONE;
    } catch (StoreException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void force() {
    long wanted = appended;
    synchronized (lock) {
      checkHealth();
      if (synced < wanted) {
        long reached = appended;
        try {
          current.force();
        } catch (IOException e) {
          throw fail("Cannot sync the log", e);
        }
        synced = reached;
      }
    }
  }

  /**
   * Ends the current segment and begins the next one. One without records is made larger instead:
   * the next one would have its name.
   *
   * <p>After a failed sync the next sync of the file succeeds and proves nothing. So this looks for
   * another thread's failure, and notes its own, while it holds the lock.
   */
  private void makeRoom(int capacity) {
    synchronized (lock) {
      checkHealth();
      try {
        if (current.first() == appended + 1) {
          current.extend(capacity);
        } else {
          beginNext(capacity);
        }
      } catch (IOException | RuntimeException e) {
        throw fail("Cannot begin a segment of the log", e);
      }
    }
  }

  private void beginNext(int capacity) throws IOException {
    current.force();
    synced = appended;
    LogSegment begun = begin(capacity);
    current.close();
    full.add(current);
    current = begun;
    mark();
    pages.clear();
  }

  @Override
  public long durable() {
    return synced;
  }

  /** The disk's content is this process's alone. */
  @Override
  public boolean isReplicated() {
    return false;
  }

  @Override
  public CompletableFuture<Void> readBarrier() {
    return DONE;
  }

  @Override
  public boolean holdsLease() {
    return true;
  }

  @Override
  public long roll() {
    synchronized (lock) {
      checkHealth();
      if (current.first() <= appended) {
        makeRoom(segmentBytes);
      }
      return current.first();
    }
  }

  @Override
  public void release(long upTo) {
    synchronized (lock) {
      checkHealth();
      released = Math.max(released, upTo);
      try {
        mark();
      } catch (IOException e) {
        throw fail("Cannot write the mark", e);
      }
    }
  }

  private void mark() throws IOException {
    long needed = firstSegmentNeeded(); // first: the manifest has what is before it
    new FolderMark(needed, synced, current.first(), current.capacity(), Manifest.durableIn(folder))
        .write(folder);
    firstNeeded = needed;
  }

  /** The first record of the oldest segment that has a record which is not released. */
  private long firstSegmentNeeded() {
    long needed = current.first();
    for (Iterator<LogSegment> newestFirst = full.descendingIterator();
        newestFirst.hasNext() && needed - 1 > released; ) {
      needed = newestFirst.next().first();
    }
    return needed;
  }

  /**
   * A segment for what comes next: the oldest one if it is not needed any more, or a new one. Then
   * removes those that are more than are going to be used; the others stay, as a new one takes much
   * longer. Always the oldest, so that nothing is missing between those that are left.
   */
  private LogSegment begin(int capacity) throws IOException {
    LogSegment begun = null;
    while (begun == null && mayOldestGo()) {
      LogSegment oldest = full.removeFirst();
      if (oldest.capacity() == capacity) {
        begun = oldest.reuse(appended + 1);
      } else {
        oldest.delete();
      }
    }
    while (full.size() >= SEGMENTS && mayOldestGo()) {
      full.removeFirst().delete();
    }
    return begun == null ? LogSegment.create(folder, appended + 1, capacity, disk) : begun;
  }

  private boolean mayOldestGo() {
    return copies == 0 && !full.isEmpty() && full.getFirst().first() < firstNeeded;
  }

  @Override
  public Snapshot snapshot() {
    keepSegments(1);
    return new Snapshot() {
      @Override
      public void copyTo(Path target) {
        LocalLog.this.copyTo(target);
      }

      @Override
      public void close() {
        keepSegments(-1);
      }
    };
  }

  private void keepSegments(int more) {
    synchronized (lock) {
      copies += more;
    }
  }

  /** Copies all segments to a folder, and marks the folder. */
  private void copyTo(Path target) {
    try {
      Deque<LogSegment> all;
      long reached = appended;
      synchronized (lock) {
        all = new ArrayDeque<>(full);
        all.add(current);
      }
      for (LogSegment segment : all) {
        segment.copyTo(target);
      }
      LogSegment.syncFolder(target);
      new FolderMark(all.getFirst().first(), reached, 0, 0, Manifest.durableIn(target))
          .write(target);
    } catch (IOException e) {
      throw Failure.of("Cannot copy the log to " + target, e);
    }
  }

  private void checkHealth() {
    StoreException failed = failure;
    if (failed != null) {
      throw new StoreException("The log has failed", failed);
    }
  }

  private StoreException fail(String message, Exception cause) {
    StoreException failed = Failure.of(message + " in " + folder, cause);
    if (failure == null) {
      failure = failed;
    }
    return failed;
  }

  /** If all batches are released, the log is removed. */
  @Override
  public void close() {
    synchronized (lock) {
      try {
        if (failure == null) {
          force();
          if (appended <= released) {
            remove();
          }
        }
        current.close();
      } catch (IOException | StoreException e) {
        LOG.warn("The log stays, and is read at the next start folder={}", folder, e);
      }
    }
  }

  private void remove() throws IOException {
    new FolderMark(appended + 1, appended, 0, 0, Manifest.durableIn(folder)).write(folder);
    for (LogSegment segment : full) {
      segment.delete();
    }
    full.clear();
    current.delete();
    failure = new StoreException("The log is closed");
  }
}
