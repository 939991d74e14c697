package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Cuts the bytes of one connection into frames: four bytes of length, most significant first, and
 * as many bytes. It checks a length before it allocates memory, allocates only for bytes that have
 * arrived, and counts the memory of an incomplete frame. For one thread.
 */
final class FrameReader {
  private static final int FIRST_CHUNK_BYTES = 4 * 1024;

  private final ConnectionMemory.Share memory;
  private int prefix;
  private int prefixBytes;
  private int lengthBytes;
  private int filledBytes;
  private byte[] frame;

  FrameReader(ConnectionMemory.Share memory) {
    this.memory = memory;
  }

  /** Whether the rest of a frame has to come. */
  boolean isWithinFrame() {
    return prefixBytes > 0;
  }

  /**
   * @param maxFrameBytes longest frame that may begin
   * @return the next whole frame, or null when all of {@code in} is consumed and more is needed, or
   *     when some of it is left and there is no memory for it now
   * @throws BadFrameException if a length is negative or above the limit
   */
  byte[] next(ByteBuf in, int maxFrameBytes) throws BadFrameException {
    if (frame == null) {
      while (prefixBytes < Integer.BYTES) {
        if (!in.isReadable()) {
          return null;
        }
        prefix = prefix << Byte.SIZE | in.readUnsignedByte();
        prefixBytes++;
      }
      if (!begin(prefix, in.readableBytes(), maxFrameBytes)) {
        return null;
      }
    }
    while (true) {
      int count = Math.min(in.readableBytes(), frame.length - filledBytes);
      in.readBytes(frame, filledBytes, count);
      filledBytes += count;
      if (filledBytes == lengthBytes) {
        return end();
      }
      if (!in.isReadable() || !grow((int) Math.min(lengthBytes, 2L * frame.length))) {
        return null;
      }
    }
  }

  private boolean begin(int length, int readableBytes, int maxFrameBytes) throws BadFrameException {
    if (length < 0 || length > maxFrameBytes) {
      throw new BadFrameException("frame of " + length + " bytes, at most " + maxFrameBytes);
    }
    int bytes = Math.min(length, Math.max(FIRST_CHUNK_BYTES, readableBytes));
    if (length > readableBytes && !memory.growRequest(bytes)) {
      return false;
    }
    lengthBytes = length;
    filledBytes = 0;
    frame = new byte[bytes];
    return true;
  }

  /** While it is copied there are two of them. */
  private boolean grow(int bytes) {
    if (!memory.growRequest((long) frame.length + bytes)) {
      return false;
    }
    frame = Arrays.copyOf(frame, bytes);
    memory.request(bytes);
    return true;
  }

  private byte[] end() {
    byte[] whole = frame;
    frame = null;
    prefixBytes = 0;
    memory.request(0);
    return whole;
  }
}
