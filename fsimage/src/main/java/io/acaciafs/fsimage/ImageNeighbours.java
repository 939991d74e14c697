package io.acaciafs.fsimage;

import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.EditLogFileInputStream;
import org.apache.hadoop.hdfs.server.namenode.EditLogInputStream;
import org.apache.hadoop.hdfs.server.namenode.FSEditLogOp;
import org.jspecify.annotations.Nullable;

/**
 * What lies beside an image in the folder of a NameNode, and says whether anything has happened
 * since: blocks that an image does not know are deleted by the DataNodes.
 *
 * <p>A NameNode begins a segment of its edit log behind every image, and ends it when it is
 * stopped, so a segment is no sign of a change by itself; every other record in one is. What cannot
 * be read counts as a change. An image that was copied elsewhere has no neighbours. Source of the
 * names: HDFS's NNStorage.
 */
public final class ImageNeighbours {
  private static final Pattern IMAGE = Pattern.compile("fsimage_(\\d{1,19})");
  private static final Pattern SEGMENT =
      Pattern.compile("edits_(?:inprogress_(\\d{1,19})|(\\d{1,19})-(\\d{1,19}))");

  /** The last one of a segment that is not at its end. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  private record Segment(Path file, long first, long last) {
    boolean isInProgress() {
      return last == UNKNOWN;
    }
  }

  private final Path image;
  private final Path folder;
  private final long transactionId;

  private ImageNeighbours(Path image, long transactionId) {
    this.image = image;
    this.folder = Objects.requireNonNull(image.getParent(), "a file is in a folder");
    this.transactionId = transactionId;
  }

  /**
   * @throws IOException with a sentence that says what to do, when the cluster has gone on since
   *     the image or may do so
   */
  public static void requireNewest(Path image) throws IOException {
    long transactionId = ImageSource.read(ImageFile.open(image)).nameSystem().getTransactionId();
    ImageNeighbours neighbours = new ImageNeighbours(image.toRealPath(), transactionId);
    neighbours.requireStopped();
    neighbours.requireNoNewerImage();
    neighbours.requireNoChange();
  }

  /** As a NameNode locks its folder; a shared lock needs no right to write. */
  private void requireStopped() throws IOException {
    Path storage = folder.getParent();
    if (storage == null) {
      return;
    }
    try (FileChannel channel =
            FileChannel.open(storage.resolve("in_use.lock"), StandardOpenOption.READ);
        FileLock lock = channel.tryLock(0, Long.MAX_VALUE, true)) {
      if (lock == null) {
        throw old("the NameNode of " + storage + " is running");
      }
    } catch (OverlappingFileLockException e) {
      throw old("the NameNode of " + storage + " is running in this very process");
    } catch (NoSuchFileException e) {
      // Not a NameNode's folder, or one that is copied without.
    }
  }

  private void requireNoNewerImage() throws IOException {
    for (Path file : files()) {
      Matcher name = IMAGE.matcher(file.getFileName().toString());
      if (name.matches() && Long.parseLong(name.group(1)) > transactionId) {
        throw old(file + " is newer");
      }
    }
  }

  private void requireNoChange() throws IOException {
    long known = transactionId;
    for (Segment segment : newerSegments()) {
      if (segment.first() > known + 1) {
        throw old(
            "the edit log beside it goes on with transaction "
                + segment.first()
                + " in "
                + segment.file());
      }
      known = Math.max(known, readToEnd(segment));
    }
    Path seen = folder.resolve("seen_txid");
    if (Files.exists(seen) && number(seen) > known + 1) {
      throw old(
          seen
              + " says that the edit log has come to transaction "
              + number(seen)
              + ", and it is not beside the image");
    }
  }

  /** In the order of the log. */
  private List<Segment> newerSegments() throws IOException {
    List<Segment> segments = new ArrayList<>();
    for (Path file : files()) {
      Matcher name = SEGMENT.matcher(file.getFileName().toString());
      if (name.matches()) {
        boolean isInProgress = name.group(1) != null;
        long first = Long.parseLong(name.group(isInProgress ? 1 : 2));
        long last = isInProgress ? UNKNOWN : Long.parseLong(name.group(3));
        if (last > transactionId) {
          segments.add(new Segment(file, first, last));
        }
      }
    }
    segments.sort(Comparator.comparingLong(Segment::first).thenComparing(Segment::last));
    return segments;
  }

  /** Returns the last transaction in it. */
  private long readToEnd(Segment segment) throws IOException {
    long last = HdfsServerConstants.INVALID_TXID;
    try (EditLogInputStream in =
        new EditLogFileInputStream(
            segment.file().toFile(),
            segment.first(),
            segment.isInProgress() ? HdfsServerConstants.INVALID_TXID : segment.last(),
            segment.isInProgress())) {
      for (FSEditLogOp op = in.readOp(); op != null; op = in.readOp()) {
        last = op.getTransactionId();
        if (last > transactionId && !isEdgeOfSegment(op)) {
          throw old(
              "the edit log beside it holds more: transaction "
                  + last
                  + " in "
                  + segment.file()
                  + " is "
                  + op.opCode);
        }
      }
    } catch (OldImageException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      throw new OldImageException(sentence(segment.file() + " cannot be read"), e);
    }
    if (!segment.isInProgress() && last < segment.last()) {
      throw old(segment.file() + " ends before its time");
    }
    return last;
  }

  private static boolean isEdgeOfSegment(FSEditLogOp op) {
    return switch (op.opCode) {
      case OP_START_LOG_SEGMENT, OP_END_LOG_SEGMENT -> true;
      default -> false;
    };
  }

  private long number(Path file) throws IOException {
    try {
      return Long.parseLong(Files.readString(file).trim());
    } catch (NumberFormatException e) {
      throw new OldImageException(sentence(file + " holds no number"), e);
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.toList();
    }
  }

  private OldImageException old(String reason) {
    return new OldImageException(sentence(reason), null);
  }

  private String sentence(String reason) {
    return "The image "
        + image
        + " ends at transaction "
        + transactionId
        + ", and "
        + reason
        + ". DataNodes delete blocks that the image does not know. Run 'hdfs dfsadmin -safemode"
        + " enter' and 'hdfs dfsadmin -saveNamespace', stop the NameNode, and import its newest"
        + " image; --old-image takes this one nevertheless";
  }

  private static final class OldImageException extends IOException {
    private static final long serialVersionUID = 1L;

    OldImageException(String sentence, @Nullable Throwable cause) {
      super(sentence, cause);
    }
  }
}
