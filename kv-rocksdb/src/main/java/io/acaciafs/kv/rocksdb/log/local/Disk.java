package io.acaciafs.kv.rocksdb.log.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** Writes and syncs segments. A test has one that fails, and forgets what was not synced. */
class Disk {
  static final Disk SYSTEM = new Disk();

  /** Writes all of the bytes. */
  void write(Path file, FileChannel open, ByteBuffer bytes, long position) throws IOException {
    long next = position;
    while (bytes.hasRemaining()) {
      next += open.write(bytes, next);
    }
  }

  /** Makes durable what was written to the file before. */
  void force(Path file, FileChannel open) throws IOException {
    open.force(false);
  }
}
