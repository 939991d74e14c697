package io.acaciafs.fsimage.format;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.apache.hadoop.hdfs.server.namenode.FSImageFormatProtobuf.SectionName;
import org.apache.hadoop.thirdparty.protobuf.InvalidProtocolBufferException;
import org.apache.hadoop.thirdparty.protobuf.Parser;
import org.jspecify.annotations.Nullable;

/** The messages of a section, one behind the other. For one thread. */
public final class SectionReader implements AutoCloseable {
  /** A file of a million blocks takes a tenth of it. */
  private static final int LARGEST_MESSAGE_BYTES = 512 << 20;

  /** How much is made room for before it has been read. */
  private static final int TRUSTED_BYTES = 1 << 20;

  private static final int VARINT_BYTES = 5;

  private final ImageFile image;
  private final SectionName name;
  private final InputStream in;

  public SectionReader(ImageFile image, SectionName name) throws IOException {
    this.image = image;
    this.name = name;
    this.in = image.read(name);
  }

  /**
   * The length of the next message, which the caller reads.
   *
   * @return -1 at the end of the section
   */
  public int nextLength() throws IOException {
    int value = 0;
    for (int i = 0; i < VARINT_BYTES; i++) {
      int next = readByte();
      if (next < 0) {
        if (i == 0) {
          return -1;
        }
        throw ends();
      }
      value |= (next & 0x7f) << 7 * i;
      if (next < 0x80) {
        if (value < 0 || value > LARGEST_MESSAGE_BYTES) {
          break;
        }
        return value;
      }
    }
    throw image.damaged("a length in its section " + name + " makes no sense");
  }

  private int readByte() throws IOException {
    try {
      return in.read();
    } catch (IOException | RuntimeException e) { // of the codec
      throw unreadable(e);
    }
  }

  /** Reads so many bytes. */
  public void readFully(byte[] bytes, int offset, int length) throws IOException {
    int count;
    try {
      count = in.readNBytes(bytes, offset, length);
    } catch (IOException | RuntimeException e) { // of the codec
      throw unreadable(e);
    }
    if (count < length) {
      throw ends();
    }
  }

  /** The bytes of the next message, one by one; they are to be read to their end. */
  public InputStream stream(int length) {
    return new LimitedInput(in, length);
  }

  /** The bytes of the next message. */
  public byte[] readBytes(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, TRUSTED_BYTES)];
    readFully(bytes, 0, bytes.length);
    while (bytes.length < length) {
      int more = Math.min(length - bytes.length, bytes.length);
      byte[] longer = Arrays.copyOf(bytes, bytes.length + more);
      readFully(longer, bytes.length, more);
      bytes = longer;
    }
    return bytes;
  }

  /**
   * @return null at the end
   */
  public <T> @Nullable T next(Parser<T> parser) throws IOException {
    int length = nextLength();
    if (length < 0) {
      return null;
    }
    try {
      return parser.parseFrom(readBytes(length));
    } catch (InvalidProtocolBufferException e) {
      throw senseless(e);
    }
  }

  /** The first message, which says what comes. */
  public <T> T header(Parser<T> parser) throws IOException {
    T header = next(parser);
    if (header == null) {
      throw image.damaged("its section " + name + " is empty");
    }
    return header;
  }

  /** What is to be thrown when a message cannot be read. */
  public IOException senseless(Exception cause) {
    IOException damaged = image.damaged("its section " + name + " holds what is no message");
    damaged.initCause(cause);
    return damaged;
  }

  private IOException ends() {
    return image.damaged("its section " + name + " ends within a message");
  }

  private IOException unreadable(Exception cause) {
    IOException damaged = image.damaged("its section " + name + " cannot be read: " + cause);
    damaged.initCause(cause);
    return damaged;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
