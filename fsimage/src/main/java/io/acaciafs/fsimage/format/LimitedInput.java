package io.acaciafs.fsimage.format;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** So many bytes of a stream. For one thread. */
final class LimitedInput extends FilterInputStream {
  private long left;

  LimitedInput(InputStream in, long limitBytes) {
    super(in);
    this.left = limitBytes;
  }

  @Override
  public int read() throws IOException {
    if (left <= 0) {
      return -1;
    }
    int value = super.read();
    left -= value < 0 ? 0 : 1;
    return value;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    if (left <= 0) {
      return -1;
    }
    int count = super.read(bytes, offset, (int) Math.min(length, left));
    left -= Math.max(0, count);
    return count;
  }

  @Override
  public long skip(long count) throws IOException {
    long skipped = super.skip(Math.min(count, left));
    left -= skipped;
    return skipped;
  }

  @Override
  public boolean markSupported() {
    return false;
  }
}
