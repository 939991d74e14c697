package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.limit.ConnectionMemory;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

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
  private byte @Nullable [] frame;

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
  byte @Nullable [] next(ByteBuf in, int maxFrameBytes) throws BadFrameException {
    byte[] begun = frame;
    if (begun == null) {
      while (prefixBytes < Integer.BYTES) {
        if (!in.isReadable()) {
          return null;
        }
        prefix = prefix << Byte.SIZE | in.readUnsignedByte();
        prefixBytes++;
      }
      begun = begin(prefix, in.readableBytes(), maxFrameBytes);
      if (begun == null) {
        return null;
      }
    }
    while (true) {
      int count = Math.min(in.readableBytes(), begun.length - filledBytes);
      in.readBytes(begun, filledBytes, count);
      filledBytes += count;
      if (filledBytes == lengthBytes) {
        end();
        return begun;
      }
      if (!in.isReadable()) {
        return null;
      }
      begun = grow(begun, (int) Math.min(lengthBytes, 2L * begun.length));
      if (begun == null) {
        return null;
      }
    }
  }

  /** Returns null when there is no memory for it now. */
  private byte @Nullable [] begin(int length, int readableBytes, int maxFrameBytes)
      throws BadFrameException {
    if (length < 0 || length > maxFrameBytes) {
      throw new BadFrameException("frame of " + length + " bytes, at most " + maxFrameBytes);
    }
    int bytes = Math.min(length, Math.max(FIRST_CHUNK_BYTES, readableBytes));
    if (length > readableBytes && !memory.growRequest(bytes)) {
      return null;
    }
    lengthBytes = length;
    filledBytes = 0;
    byte[] begun = new byte[bytes];
    frame = begun;
    return begun;
  }

  /**
   * While it is copied there are two of them. Returns null when there is no memory for both now.
   */
  private byte @Nullable [] grow(byte[] begun, int bytes) {
    if (!memory.growRequest((long) begun.length + bytes)) {
      return null;
    }
    byte[] grown = Arrays.copyOf(begun, bytes);
    frame = grown;
    memory.request(bytes);
    return grown;
  }

  private void end() {
    frame = null;
    prefixBytes = 0;
    memory.request(0);
  }
}
