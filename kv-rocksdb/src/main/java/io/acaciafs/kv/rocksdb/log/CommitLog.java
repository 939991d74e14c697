package io.acaciafs.kv.rocksdb.log;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Failure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What was committed and may not be in RocksDB's files yet: the rows of the {@code Memtable}, in
 * batches, in the order in which they came. After a crash {@link LogRecovery} finds them.
 *
 * <p>A segment has its full length from its beginning, and one whose rows are all in RocksDB's
 * files is used again. So a sync writes the pages of its batches and nothing else: where a file
 * grows, its inode is written each time as well, or a journal.
 *
 * <p>The {@link FolderMark} says which segments there have to be: it is written before one goes,
 * and before the first record of a new one.
 *
 * <p>One thread at a time appends; all else is safe for use by many. After a failure nothing is
 * promised any more: each call fails.
 */
public final class CommitLog implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CommitLog.class);
  public static final int SEGMENTS = 4;

  private final Path folder;
  private final int segmentBytes;
  private final LongSupplier firstRowInMemory;

  /** Those before the current one, oldest first; changed by who appends, under the lock. */
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
  private volatile StoreException failure;

  /** Copies under way, which need all segments. Under the lock. */
  private int copies;

  /** Held while the disk is synced, and while the current segment changes. */
  private final Object lock = new Object();

  /**
   * @param recovered has run; the log goes on behind what it found
   * @param segmentBytes of which {@link #SEGMENTS} are kept to be used again
   * @param firstRowInMemory rows before this number are in RocksDB's files
   */
  public CommitLog(LogRecovery recovered, int segmentBytes, LongSupplier firstRowInMemory) {
    this.folder = recovered.folder();
    this.segmentBytes = segmentBytes;
    this.firstRowInMemory = firstRowInMemory;
    this.appended = recovered.last();
    this.synced = recovered.last();
    full.addAll(recovered.segments());
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
    firstNeeded = full.isEmpty() ? appended + 1 : full.getFirst().first();
    new FolderMark(firstNeeded, appended, 0, 0, Manifest.durableIn(folder)).write(folder);
    for (LogSegment segment : useless) {
      segment.delete();
    }
    LogSegment.syncFolder(folder);
  }

  /**
   * Adds a batch, which is durable after the next {@link #sync}.
   *
   * @param lastRow of it, by the numbers of the {@code Memtable}
   * @throws StoreException when it is not known whether it is there
   */
  public void append(ByteBuffer batch, long lastRow) {
    checkHealth();
    try {
      int bytes = Math.addExact(LogRecord.HEADER_BYTES, batch.remaining());
      if (pages.end() + bytes > current.capacity()) {
        makeRoom(Math.max(segmentBytes, PageBuffer.roundUp(bytes)));
      }
      LogRecord.put(pages.room(bytes), current.first(), appended + 1, synced, batch);
      current.write(pages.ready(bytes), pages.start());
      pages.advance(bytes);
      current.added(pages.end(), lastRow);
      appended++;
    } catch (IOException | RuntimeException e) {
      throw fail("Cannot write to the log", e);
    }
  }

  /**
   * Makes everything durable that was appended before.
   *
   * @throws StoreException when it is not known what is durable
   */
  public void sync() {
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
   */
  private void makeRoom(int capacity) throws IOException {
    synchronized (lock) {
      // Another thread's sync may have failed. The next sync of the file succeeds and proves
      // nothing.
      checkHealth();
      if (current.first() == appended + 1) {
        current.extend(capacity);
      } else {
        beginNext(capacity);
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

  /**
   * Makes everything durable that was appended before, and begins the next segment if the current
   * one has records. For the thread that appends.
   *
   * @return the number of the first record that the current segment is to have
   * @throws StoreException when it is not known what is durable
   */
  public long roll() {
    synchronized (lock) {
      checkHealth();
      try {
        if (current.first() <= appended) {
          beginNext(segmentBytes);
        }
        return current.first();
      } catch (IOException | RuntimeException e) {
        throw fail("Cannot begin a segment of the log", e);
      }
    }
  }

  /** Some rows have come into RocksDB's files: what they are kept for here is needless. */
  public void noteFiles() {
    synchronized (lock) {
      checkHealth();
      try {
        mark();
      } catch (IOException e) {
        throw fail("Cannot write the mark", e);
      }
    }
  }

  private void mark() throws IOException {
    long needed = firstThatIsNotInFiles(); // first: the manifest has what is before it
    new FolderMark(needed, synced, current.first(), current.capacity(), Manifest.durableIn(folder))
        .write(folder);
    firstNeeded = needed;
  }

  private long firstThatIsNotInFiles() {
    long firstRow = firstRowInMemory.getAsLong();
    for (LogSegment segment : full) {
      if (segment.lastRow() >= firstRow) {
        return segment.first();
      }
    }
    return current.first();
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
    return begun == null ? LogSegment.create(folder, appended + 1, capacity) : begun;
  }

  private boolean mayOldestGo() {
    return copies == 0 && !full.isEmpty() && full.getFirst().first() < firstNeeded;
  }

  /**
   * Copies all of it to a folder, at least what was appended before the call, and marks the folder.
   * Between {@link #beginCopy} and {@link #endCopy}, so that it holds what RocksDB had not written
   * out at the former.
   */
  public void copyTo(Path target) {
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

  /** From now on no segment goes. */
  public void beginCopy() {
    synchronized (lock) {
      copies++;
    }
  }

  public void endCopy() {
    synchronized (lock) {
      copies--;
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

  /**
   * There are no further appends. If RocksDB's files hold all rows, the log is removed, so the next
   * start has nothing to read.
   */
  @Override
  public void close() {
    synchronized (lock) {
      try {
        if (failure == null) {
          sync();
          removeIfAllIsInFiles();
        }
        current.close();
      } catch (IOException | StoreException e) {
        LOG.warn("The log stays, and is read at the next start folder={}", folder, e);
      }
    }
  }

  private void removeIfAllIsInFiles() throws IOException {
    long firstRow = firstRowInMemory.getAsLong();
    if (current.lastRow() < firstRow && full.stream().allMatch(s -> s.lastRow() < firstRow)) {
      remove();
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
