package io.acaciafs.kv.raft.log;

import static java.util.Objects.requireNonNull;

import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.InvalidProtocolBufferException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file to which Ratis wrote entries last, which has no end yet. A loss of power may leave any
 * part of what was not synced, which the leader was not told to be there: Ratis takes that for
 * damage, and does not start. And a process that ended may leave entries in the system's memory
 * that the disk lacks: Ratis takes them for synced. So before Ratis opens its log, this writes the
 * entries of the file anew, durably, up to the last one that is whole.
 *
 * <p>Ratis syncs after {@value #MOST_UNSYNCED} entries at the latest. A file that is damaged before
 * that, or where the store has rows, stays as it is, and the member does not start.
 *
 * <p>Source of the format: Ratis 3.3.0, {@code SegmentedRaftLogFormat}, {@code
 * SegmentedRaftLogOutputStream}.
 */
public final class OpenSegment {
  private static final Logger LOG = LoggerFactory.getLogger(OpenSegment.class);
  private static final Pattern NAME = Pattern.compile("log_inprogress_(\\d{1,18})");
  private static final byte[] HEADER = {'R', 'a', 'f', 't', 'L', 'o', 'g', '1'};

  /** Each entry begins with its term. */
  private static final byte TAG_OF_TERM = 1 << 3;

  /** {@code raft.server.log.force.sync.num}. */
  private static final int MOST_UNSYNCED = 128;

  /** No name of Ratis's. */
  private static final String PART = "open-segment.part";

  private final Path file;
  private final ByteBuffer bytes;

  /** Of the next entry. */
  private long index;

  /** Behind the last entry that is whole; 0: the file has none. */
  private int end;

  private OpenSegment(Path file, long firstIndex) throws IOException {
    this.file = file;
    this.bytes = ByteBuffer.wrap(Files.readAllBytes(file));
    this.index = firstIndex;
  }

  /**
   * Writes the entries of an open segment anew, if there is one.
   *
   * @param logFolder where Ratis has a folder for each group
   * @param inFiles index of an entry that was committed
   * @throws IOException with a sentence for people, when the disk has lost what was synced
   */
  public static void repair(Path logFolder, long inFiles) throws IOException {
    for (Path file : files(logFolder)) {
      Matcher name = NAME.matcher(file.getFileName().toString());
      if (name.matches()) {
        new OpenSegment(file, Long.parseLong(name.group(1))).repair(inFiles);
      }
    }
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  private void repair(long inFiles) throws IOException {
    findEnd();
    int rest = lengthOfRest();
    if (rest > 0) {
      if (inFiles >= index) {
        throw damaged("the store holds what follows, up to entry " + inFiles);
      }
      if (wasSynced()) {
        throw damaged("more entries than are synced at once are whole behind it");
      }
      LOG.warn(
          "The last write to the log was not finished, and nobody was told of it: it is left out"
              + " file={} entry={} bytes={}",
          file,
          index,
          rest);
    }
    Path folder = requireNonNull(file.getParent());
    if (end == 0) {
      Files.delete(file);
    } else {
      Path part = folder.resolveSibling(PART);
      write(part);
      Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
    LogSegment.syncFolder(folder);
  }

  private IOException damaged(String reason) {
    return new IOException(
        "The Raft log "
            + file
            + " is damaged at entry "
            + index
            + ", which was synced: "
            + reason
            + ". The disk has lost it. Empty the folder, and run 'acacia bootstrap', see docs/ha.md");
  }

  private void findEnd() {
    if (!bytes.slice(0, Math.min(HEADER.length, bytes.limit())).equals(ByteBuffer.wrap(HEADER))) {
      return;
    }
    int at = HEADER.length;
    for (int next = endOf(at, index); next > 0; next = endOf(at, index)) {
      at = next;
      end = at;
      index++;
    }
  }

  /** Bytes that are not zero, and what is between them. */
  private int lengthOfRest() {
    int from = Math.max(end, bytes.limit() > 0 && end == 0 ? headerInPart() : 0);
    int last = bytes.limit();
    while (last > from && bytes.get(last - 1) == 0) {
      last--;
    }
    return last - from;
  }

  /** A file that was just begun has the header, or its beginning. */
  private int headerInPart() {
    int same = 0;
    while (same < Math.min(HEADER.length, bytes.limit()) && bytes.get(same) == HEADER[same]) {
      same++;
    }
    return same;
  }

  /** Whether an entry that is so far behind that the sync before it has ended is whole. */
  private boolean wasSynced() {
    for (int at = end; at < bytes.limit(); at++) {
      if (bytes.get(at) != 0 && endOf(at, index + MOST_UNSYNCED, Long.MAX_VALUE) > 0) {
        return true;
      }
    }
    return false;
  }

  private int endOf(int from, long wanted) {
    return endOf(from, wanted, wanted);
  }

  /** The end of an entry; 0 where there is none with such an index. */
  private int endOf(int from, long least, long most) {
    int length = 0;
    int at = from;
    for (int shift = 0; ; shift += 7) {
      if (at >= bytes.limit() || shift > 28) {
        return 0;
      }
      byte next = bytes.get(at++);
      length |= (next & 0x7f) << shift;
      if (next >= 0) {
        break;
      }
    }
    if (length <= 0
        || length > bytes.limit() - at - Integer.BYTES
        || bytes.get(at) != TAG_OF_TERM) {
      return 0;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes.array(), from, at + length - from);
    if (bytes.getInt(at + length) != (int) crc.getValue()) {
      return 0;
    }
    try {
      long found = LogEntryProto.parseFrom(bytes.slice(at, length)).getIndex();
      return found >= least && found <= most ? at + length + Integer.BYTES : 0;
    } catch (InvalidProtocolBufferException e) {
      return 0;
    }
  }

  private void write(Path part) throws IOException {
    try (FileChannel channel =
        FileChannel.open(
            part,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING,
            StandardOpenOption.WRITE)) {
      ByteBuffer whole = bytes.slice(0, end);
      while (whole.hasRemaining()) {
        channel.write(whole);
      }
      channel.force(true);
    }
  }
}
