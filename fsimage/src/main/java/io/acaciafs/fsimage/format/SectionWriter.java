package io.acaciafs.fsimage.format;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/** Messages one behind the other in a file, each behind its length. For one thread. */
public final class SectionWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final OutputStream out;
  private final CodedOutputStream coded;

  /** Counted here: the stream's own count is an int. */
  private long position;

  /** Begins a new file. */
  public SectionWriter(Path file) throws IOException {
    this(Files.newOutputStream(file));
  }

  /**
   * Begins at the place 0.
   *
   * @param file closed with this writer
   */
  public SectionWriter(OutputStream file) {
    out = new BufferedOutputStream(file, BUFFER_BYTES);
    coded = CodedOutputStream.newInstance(out);
  }

  public void write(MessageLite message) throws IOException {
    int length = message.getSerializedSize();
    coded.writeUInt32NoTag(length);
    message.writeTo(coded);
    position += CodedOutputStream.computeUInt32SizeNoTag(length) + length;
  }

  public void writeRaw(byte[] bytes) throws IOException {
    coded.writeRawBytes(bytes);
    position += bytes.length;
  }

  /** Appends what another file holds. */
  public void append(Path file) throws IOException {
    coded.flush();
    position += Files.copy(file, out);
  }

  /** How many bytes there are up to now. */
  public long position() {
    return position;
  }

  @Override
  public void close() throws IOException {
    try (out) {
      coded.flush();
    }
  }
}
