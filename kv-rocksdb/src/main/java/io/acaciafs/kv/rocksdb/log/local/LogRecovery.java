package io.acaciafs.kv.rocksdb.log.local;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.rocksdb.common.Damage;
import io.acaciafs.kv.rocksdb.common.Failure;
import io.acaciafs.kv.rocksdb.log.CommitLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the log into the memtable, from the first record that RocksDB's files may lack. RocksDB may
 * already have older and newer rows; the log's rows hide them, and its last rows are the latest.
 * Used by one thread. Removes nothing.
 *
 * <p>A crash may leave the last records incomplete; the store had not acknowledged them. Recovery
 * refuses a log that lacks acknowledged records: a record that is not whole though a later one, or
 * the {@linkplain FolderMark mark}, says that it was durable; a segment that ends before the next
 * one begins; one that the mark names and that is missing or cut off; a log that begins too late.
 *
 * <p>If the previous process failed to sync records, they may be in the system's memory only. The
 * system forgets that the disk lacks them, so a further sync proves nothing. So recovery writes
 * records that nothing confirms as durable once more, and syncs them, before it uses them.
 */
final class LogRecovery {
  /** Records that may lie behind one that is not whole. */
  private static final long FARTHEST = 1 << 20;

  private final Path folder;

  private final CommitLog.Replay replay;
  private final Disk disk;
  private final Deque<LogSegment> segments = new ArrayDeque<>();
  private final List<LogSegment> useless = new ArrayList<>();
  private long last;

  /** Records up to this one are known to have been durable. */
  private long known;

  LogRecovery(Path folder, CommitLog.Replay replay, Disk disk) {
    this.folder = folder;
    this.replay = replay;
    this.disk = disk;
  }

  /** Where the log is. */
  Path folder() {
    return folder;
  }

  /** Segments that hold records, oldest first; after {@link #run}. */
  Deque<LogSegment> segments() {
    return segments;
  }

  /** Segments that hold no records, or none that are needed; after {@link #run}. */
  List<LogSegment> useless() {
    return useless;
  }

  /** The number of the last record, which is durable; 0 when there never was one. */
  long last() {
    return last;
  }

  /**
   * @throws StoreException when the log is damaged, or cannot be read
   */
  void run() {
    try {
      FolderMark mark = FolderMark.read(folder); // null: older versions made none
      Deque<LogSegment> found = new ArrayDeque<>(found());
      if (mark != null) {
        leaveOutWhatIsInFiles(mark, found);
        requireSegments(mark, found);
        last = mark.firstNeeded() - 1;
        known = mark.lastDurable();
      }
      while (!found.isEmpty()) {
        LogSegment segment = found.removeFirst();
        read(segment, found.isEmpty() ? Long.MAX_VALUE : found.getFirst().first());
      }
      if (last < known) {
        throw Damage.ofLog(folder, missing(last + 1, known));
      }
    } catch (IOException e) {
      throw Failure.of("Cannot read the log in " + folder, e);
    }
  }

  /** A loss of power may bring back what had been removed. */
  private void leaveOutWhatIsInFiles(FolderMark mark, Deque<LogSegment> found) {
    while (!found.isEmpty() && found.getFirst().first() < mark.firstNeeded()) {
      LogSegment oldest = found.removeFirst();
      long end = found.isEmpty() ? Long.MAX_VALUE : found.getFirst().first();
      if (end > mark.firstNeeded() && !mark.isOfAnOrderlyEnd()) {
        found.addFirst(oldest); // it holds the first one that is needed
        return;
      }
      useless.add(oldest);
    }
  }

  private void requireSegments(FolderMark mark, Deque<LogSegment> found) throws IOException {
    @Nullable LogSegment newest = null;
    for (LogSegment segment : found) {
      newest = segment.first() == mark.newestSegment() ? segment : newest;
    }
    boolean isNewestKnown = mark.newestSegment() > 0;
    if (isNewestKnown && newest == null) {
      throw Damage.ofLog(
          folder,
          "its segment " + LogSegment.nameOf(mark.newestSegment()) + " is missing from " + folder);
    }
    if (isNewestKnown && newest != null && newest.capacity() < mark.newestBytes()) {
      throw Damage.ofLog(
          folder,
          newest.file()
              + " was cut off: it has "
              + newest.capacity()
              + " bytes of "
              + mark.newestBytes());
    }
    if (!found.isEmpty() && found.getFirst().first() > mark.firstNeeded()) {
      throw Damage.ofLog(folder, missing(mark.firstNeeded(), found.getFirst().first() - 1));
    }
  }

  private String missing(long from, long to) {
    return "records " + from + " to " + to + " are missing from " + folder;
  }

  private List<LogSegment> found() throws IOException {
    List<LogSegment> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(LogSegment::isSegment).toList()) {
        found.add(LogSegment.of(file, disk));
      }
    }
    found.sort(Comparator.comparingLong(LogSegment::first));
    return found;
  }

  /**
   * @param end the first record of the next segment
   */
  private void read(LogSegment segment, long end) throws IOException {
    last = segment.first() - 1;
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(segment.file()));
    int offset = 0;
    while (last + 1 < end && LogRecord.numberAt(bytes, offset) == last + 1) {
      LogRecord record = LogRecord.read(bytes, offset, segment.first());
      if (record == null) {
        break;
      }
      offset = record.to();
      replay.batch(record.number(), bytes.array(), record.from(), offset);
      segment.added(offset);
      last = record.number();
      known = Math.max(known, record.synced());
    }
    boolean isMissing =
        end == Long.MAX_VALUE
            ? last < known || wasSynced(bytes, offset, segment.first())
            : last + 1 != end;
    if (isMissing) {
      throw Damage.ofLog(folder, "record " + (last + 1) + " cannot be read from " + segment.file());
    }
    if (last < segment.first()) {
      useless.add(segment);
    } else {
      makeDurable(segment, bytes);
      segment.close();
      segments.add(segment);
    }
  }

  /** Writes again what may not have come to the disk, as it is. */
  private void makeDurable(LogSegment segment, ByteBuffer bytes) throws IOException {
    int offset = 0;
    long number = segment.first();
    for (; number <= Math.min(known, last); number++) {
      offset = LogRecord.endAt(bytes, offset);
    }
    int end = offset;
    for (; number <= last; number++) {
      end = LogRecord.endAt(bytes, end);
    }
    if (end > offset) {
      int from = PageBuffer.roundDown(offset);
      int to = Math.min(PageBuffer.roundUp(end), bytes.capacity());
      segment.write(bytes.slice(from, to - from), from);
    }
    segment.force();
  }

  /** Whether no record begins at the offset, nor within a word behind it. */
  private static boolean isEmpty(ByteBuffer bytes, int offset) {
    return offset <= bytes.limit() - 2 * Long.BYTES
        && (bytes.getLong(offset) | bytes.getLong(offset + Long.BYTES)) == 0;
  }

  /** Whether a record behind the offset says that the next one had been synced. */
  private boolean wasSynced(ByteBuffer bytes, int from, long first) {
    long missing = last + 1;
    for (int offset = from; offset <= bytes.limit() - LogRecord.HEADER_BYTES; offset++) {
      if (isEmpty(bytes, offset)) {
        offset += Long.BYTES - 1; // most of a new segment is
        continue;
      }
      long number = LogRecord.numberAt(bytes, offset);
      if (number > missing && number - missing <= FARTHEST) {
        LogRecord record = LogRecord.read(bytes, offset, first);
        if (record != null && record.synced() >= missing) {
          return true;
        }
      }
    }
    return false;
  }
}
