package io.acaciafs.fsimage.sort;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads a run that was written out. For one thread. */
final class RunCursor implements RowCursor {
  private static final int READ_BYTES = 128 << 10;

  private final DataInputStream in;
  private long left;
  private byte[] key = {};
  private byte[] value = {};

  RunCursor(Path run) throws IOException {
    left = Files.size(run);
    in = new DataInputStream(new BufferedInputStream(Files.newInputStream(run), READ_BYTES));
  }

  @Override
  public boolean next() throws IOException {
    if (left == 0) {
      return false;
    }
    key = new byte[in.readInt()];
    value = new byte[in.readInt()];
    in.readFully(key);
    in.readFully(value);
    left -= 2 * Integer.BYTES + key.length + value.length;
    return true;
  }

  @Override
  public long prefix() {
    return ByteBuffer.wrap(key).getLong();
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
