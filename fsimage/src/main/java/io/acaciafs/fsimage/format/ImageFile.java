package io.acaciafs.fsimage.format;

import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.io.SequenceInputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.hdfs.server.namenode.FSImageUtil;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.FileSummary.Section;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.apache.hadoop.io.MD5Hash;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;

/** An image to be read: which sections it has, and what they hold. Immutable. */
public final class ImageFile {
  private static final int LENGTH_BYTES = 4;
  private static final int BUFFER_BYTES = 1 << 20;

  /** A summary names some twenty sections, or some more of their parts. */
  private static final int LARGEST_SUMMARY_BYTES = 16 << 20;

  private final Path file;
  private final long lengthBytes;
  private final FileSummary summary;

  private ImageFile(Path file, long lengthBytes, FileSummary summary) {
    this.file = file;
    this.lengthBytes = lengthBytes;
    this.summary = summary;
  }

  /**
   * @throws IOException with a sentence when it is no image, or a damaged one, or one of a Hadoop
   *     that we do not know
   */
  public static ImageFile open(Path file) throws IOException {
    if (!Files.isRegularFile(file)) {
      throw new IOException("There is no image " + file);
    }
    ImageFile image;
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      image = new ImageFile(file, in.length(), readSummary(file, in));
    }
    image.check();
    return image;
  }

  private static FileSummary readSummary(Path file, RandomAccessFile in) throws IOException {
    byte[] magic = new byte[FSImageUtil.MAGIC_HEADER.length];
    if (in.length() >= magic.length) {
      in.readFully(magic);
    }
    if (!Arrays.equals(magic, FSImageUtil.MAGIC_HEADER)) {
      throw new IOException(
          "The file "
              + file
              + " is no image of Hadoop 2.4 or newer: it does not begin with HDFSIMG1");
    }
    long end = in.length() - LENGTH_BYTES;
    int length = 0;
    if (end > magic.length) {
      in.seek(end);
      length = in.readInt();
    }
    if (length <= 0 || length > LARGEST_SUMMARY_BYTES || length > end - magic.length) {
      throw truncated(file);
    }
    byte[] bytes = new byte[length];
    in.seek(end - length);
    in.readFully(bytes);
    try {
      return FileSummary.parseDelimitedFrom(new ByteArrayInputStream(bytes));
    } catch (InvalidProtocolBufferException e) {
      throw truncated(file);
    }
  }

  private static IOException truncated(Path file) {
    return new IOException(
        "The image " + file + " is truncated or damaged: it does not end with a summary");
  }

  private void check() throws IOException {
    if (summary.getOndiskVersion() != FSImageUtil.FILE_VERSION) {
      throw new IOException(
          "The image " + file + " has the unknown format " + summary.getOndiskVersion());
    }
    if (summary.getLayoutVersion() < HdfsServerConstants.NAMENODE_LAYOUT_VERSION) {
      throw new IOException(
          "The image "
              + file
              + " has layout "
              + summary.getLayoutVersion()
              + ", of a Hadoop newer than is known here: "
              + HdfsServerConstants.NAMENODE_LAYOUT_VERSION);
    }
    for (Section section : summary.getSectionsList()) {
      long offset = section.getOffset();
      long length = section.getLength();
      if (offset < FSImageUtil.MAGIC_HEADER.length
          || length < 0
          || offset > lengthBytes
          || length > lengthBytes - offset) {
        throw damaged("its section " + section.getName() + " would lie outside of the file");
      }
    }
  }

  /** What is to be thrown when something in it makes no sense. */
  public IOException damaged(String what) {
    return new IOException("The image " + file + " is damaged: " + what);
  }

  /**
   * Compares the image with its checksum beside it.
   *
   * @return false when there is none
   * @throws IOException when they do not match
   */
  public boolean verifyMd5() throws IOException {
    MD5Hash stored;
    try {
      stored = MD5FileUtils.readStoredMd5ForFile(file.toFile());
    } catch (IOException e) {
      throw new IOException("The checksum file beside " + file + " cannot be read", e);
    }
    if (stored == null) {
      return false;
    }
    MD5Hash computed = MD5FileUtils.computeMd5ForFile(file.toFile());
    if (!stored.equals(computed)) {
      throw new IOException(
          "The image "
              + file
              + " does not match its checksum: the .md5 file says "
              + stored
              + ", but it has "
              + computed
              + ". Copy it anew");
    }
    return true;
  }

  public boolean has(SectionName name) {
    return !sections(name.name()).isEmpty();
  }

  /** How many bytes it has in the file. */
  public long lengthBytes(SectionName name) {
    return sections(name.name()).stream().mapToLong(Section::getLength).sum();
  }

  private List<Section> sections(String name) {
    return summary.getSectionsList().stream()
        .filter(section -> section.getName().equals(name))
        .sorted(Comparator.comparingLong(Section::getOffset))
        .toList();
  }

  /**
   * Opens a section, uncompressed. Parts of a section are compressed each by itself.
   *
   * @throws IOException when there is none
   */
  InputStream read(SectionName name) throws IOException {
    List<Section> whole = sections(name.name());
    if (whole.size() != 1) {
      throw damaged("it has " + whole.size() + " sections " + name);
    }
    List<Section> parts = sections(name.name() + "_SUB");
    boolean inParts = !summary.getCodec().isEmpty() && !parts.isEmpty();
    List<InputStream> streams = new ArrayList<>();
    for (Section section : inParts ? parts : whole) {
      streams.add(open(section));
    }
    return streams.size() == 1
        ? streams.get(0)
        : new SequenceInputStream(Collections.enumeration(streams));
  }

  private InputStream open(Section section) throws IOException {
    FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
    try {
      channel.position(section.getOffset());
      InputStream limited = new LimitedInput(Channels.newInputStream(channel), section.getLength());
      InputStream buffered =
          new BufferedInputStream(
              limited, (int) Math.max(1, Math.min(BUFFER_BYTES, section.getLength())));
      return summary.getCodec().isEmpty() ? buffered : uncompressed(buffered);
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private InputStream uncompressed(InputStream in) throws IOException {
    try {
      return new BufferedInputStream(
          FSImageUtil.wrapInputStreamForCompression(new Configuration(), summary.getCodec(), in),
          BUFFER_BYTES);
    } catch (IOException | RuntimeException e) {
      IOException unreadable =
          new IOException(
              "The image "
                  + file
                  + " is compressed by "
                  + summary.getCodec()
                  + ", which cannot be used here: "
                  + e.getMessage());
      unreadable.initCause(e);
      throw unreadable;
    }
  }
}
