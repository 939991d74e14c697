package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;

/** Protocol Buffers' numbers of variable length. */
public final class Varint {
  private Varint() {}

  /** Reads one; the caller knows that it is there. */
  public static int read(ByteBuf in) {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int b = in.readByte();
      value |= (b & 0x7f) << shift;
      if (b >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a number longer than five bytes");
  }
}
