package io.acaciafs.fsimage;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.thirdparty.protobuf.CodedOutputStream;
import org.apache.hadoop.thirdparty.protobuf.MessageLite;

/** Messages one behind the other in a file, each behind its length. For one thread. */
final class SectionWriter implements AutoCloseable {
  private static final int BUFFER_BYTES = 1 << 20;

  private final OutputStream out;
  private final CodedOutputStream coded;
  private long flushedBytes;

  /** Begins a new file. */
  SectionWriter(Path file) throws IOException {
    out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES);
    coded = CodedOutputStream.newInstance(out);
  }

  void write(MessageLite message) throws IOException {
    coded.writeUInt32NoTag(message.getSerializedSize());
    message.writeTo(coded);
  }

  void writeRaw(byte[] bytes) throws IOException {
    coded.writeRawBytes(bytes);
  }

  /** Appends what another file holds. */
  void append(Path file) throws IOException {
    flush();
    flushedBytes += Files.copy(file, out);
  }

  /** How many bytes there are up to now. */
  long position() {
    return flushedBytes + coded.getTotalBytesWritten();
  }

  private void flush() throws IOException {
    coded.flush();
  }

  @Override
  public void close() throws IOException {
    try (out) {
      flush();
    }
  }
}
