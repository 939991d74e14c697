package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.StoreException;
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

/**
 * Reads the log from its oldest segment to its end, into the memtable. RocksDB may have rows of it
 * already, older and newer ones; those of the log lie over them, and its last ones are the latest.
 * Used by one thread.
 *
 * <p>A crash may leave the last records in part, as they were promised to nobody. A record that is
 * not whole though a later one says that it had been synced is damage, and so is a segment that
 * ends before the next one begins: these are refused, as what was promised would be lost.
 */
final class LogRecovery {
  /** Records that may lie behind one that is not whole. */
  private static final long FARTHEST = 1 << 20;

  private final Path folder;
  private final Target memtable;
  private final Deque<LogSegment> segments = new ArrayDeque<>();
  private long last;

  /** Takes what was in the log. */
  interface Target {
    /**
     * Takes a batch.
     *
     * @param from where in the segment it begins
     * @param to where it ends
     * @return the number of its last row
     */
    long recover(byte[] segment, int from, int to);
  }

  LogRecovery(Path folder, Target memtable) {
    this.folder = folder;
    this.memtable = memtable;
  }

  /** Where the log is. */
  Path folder() {
    return folder;
  }

  /** Segments that hold records, oldest first; after {@link #run}. */
  Deque<LogSegment> segments() {
    return segments;
  }

  /** The number of the last record; 0 when there never was one. */
  long last() {
    return last;
  }

  /**
   * @throws StoreException when the log is damaged, or cannot be read
   */
  void run() {
    try {
      List<LogSegment> found = found();
      for (int i = 0; i < found.size(); i++) {
        LogSegment segment = found.get(i);
        boolean isLast = i == found.size() - 1;
        segment.force(); // perhaps it is in the system's memory alone, and is going to be shown
        read(segment, isLast ? Long.MAX_VALUE : found.get(i + 1).first());
        if (last >= segment.first()) {
          segment.close();
          segments.add(segment);
        } else {
          segment.delete();
        }
      }
    } catch (IOException e) {
      throw new StoreException("Cannot read the log in " + folder, e);
    }
  }

  private List<LogSegment> found() throws IOException {
    List<LogSegment> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.filter(LogSegment::isSegment).toList()) {
        found.add(LogSegment.of(file));
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
      segment.added(offset, memtable.recover(bytes.array(), record.from(), offset));
      last = record.number();
    }
    boolean isMissing =
        end == Long.MAX_VALUE ? wasSynced(bytes, offset, segment.first()) : last + 1 != end;
    if (isMissing) {
      throw new StoreException(
          "The log is damaged: record " + (last + 1) + " cannot be read from " + segment.file());
    }
  }

  /** Whether a record behind the offset says that the next one had been synced. */
  private boolean wasSynced(ByteBuffer bytes, int from, long first) {
    long missing = last + 1;
    for (int offset = from; offset <= bytes.limit() - LogRecord.HEADER_BYTES; offset++) {
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
