package io.acaciafs.rpc;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Cuts the bytes of one connection into frames: four bytes of length, most significant first, and
 * as many bytes. A length is checked before anything is allocated for it, and memory grows only
 * with the bytes that have really come. For one thread.
 */
final class FrameReader {
  private static final int FIRST_CHUNK_BYTES = 64 * 1024;

  private final int maxFrameBytes;
  private int prefix;
  private int prefixBytes;
  private int lengthBytes;
  private int filledBytes;
  private byte[] frame;

  FrameReader(int maxFrameBytes) {
    this.maxFrameBytes = maxFrameBytes;
  }

  /**
   * @return the next whole frame, or null when all of {@code in} is consumed and more is needed
   * @throws BadFrameException if a length is negative or above the limit
   */
  byte[] next(ByteBuf in) throws BadFrameException {
    if (frame == null) {
      while (prefixBytes < Integer.BYTES) {
        if (!in.isReadable()) {
          return null;
        }
        prefix = prefix << Byte.SIZE | in.readUnsignedByte();
        prefixBytes++;
      }
      begin(prefix, in.readableBytes());
    }
    while (true) {
      int count = Math.min(in.readableBytes(), frame.length - filledBytes);
      in.readBytes(frame, filledBytes, count);
      filledBytes += count;
      if (filledBytes == lengthBytes) {
        byte[] whole = frame;
        frame = null;
        prefixBytes = 0;
        return whole;
      }
      if (!in.isReadable()) {
        return null;
      }
      frame = Arrays.copyOf(frame, (int) Math.min(lengthBytes, 2L * frame.length));
    }
  }

  private void begin(int length, int readableBytes) throws BadFrameException {
    if (length < 0 || length > maxFrameBytes) {
      throw new BadFrameException("frame of " + length + " bytes, at most " + maxFrameBytes);
    }
    lengthBytes = length;
    filledBytes = 0;
    frame = new byte[Math.min(length, Math.max(FIRST_CHUNK_BYTES, readableBytes))];
  }
}
