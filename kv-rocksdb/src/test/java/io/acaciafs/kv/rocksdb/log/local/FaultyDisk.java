package io.acaciafs.kv.rocksdb.log.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/**
 * A disk that has what was synced. Of what was written since, a loss of power leaves all, nothing,
 * or any sectors or pages. A failed sync loses what it was to write for good, though processes that
 * read the file from the system's memory still see it. Segments only; names of files are durable at
 * once. For one thread at a time.
 */
final class FaultyDisk extends Disk {
  private static final int[] PIECES = {512, 4096, Integer.MAX_VALUE};

  private record Write(long position, byte[] bytes) {}

  /** A file of which the disk does not have what readers see. */
  private static final class Unsynced {
    private byte[] durable;
    private final List<Write> writes = new ArrayList<>();

    Unsynced(byte[] durable) {
      this.durable = durable;
    }

    void take(Write write, int from, int to) {
      int end = Math.toIntExact(write.position()) + to;
      durable = durable.length < end ? Arrays.copyOf(durable, end) : durable;
      System.arraycopy(
          write.bytes(), from, durable, Math.toIntExact(write.position()) + from, to - from);
    }
  }

  private final Map<Path, Unsynced> files = new HashMap<>();
  private int writesUntilFull = Integer.MAX_VALUE;
  private int syncsUntilError = Integer.MAX_VALUE;
  private IOException syncError;

  /** Runs before a sync, while the log holds its lock. */
  private Runnable beforeSync = () -> {};

  /** The disk has no room left after so many writes. */
  void fillAfter(int writes) {
    writesUntilFull = writes;
  }

  /** So many syncs succeed, the next one fails, and all others succeed. */
  void failSyncAfter(int syncs) {
    failSyncAfter(syncs, new IOException("Input/output error"));
  }

  void failSyncAfter(int syncs, IOException withError) {
    syncsUntilError = syncs;
    syncError = withError;
  }

  void beforeSync(Runnable action) {
    beforeSync = action;
  }

  @Override
  void write(Path file, FileChannel open, ByteBuffer bytes, long position) throws IOException {
    boolean isFull = writesUntilFull-- <= 0;
    if (isFull) {
      bytes.limit(bytes.position() + bytes.remaining() / 2);
    }
    byte[] written = new byte[bytes.remaining()];
    bytes.duplicate().get(written);
    unsynced(file).writes.add(new Write(position, written));
    super.write(file, open, bytes, position);
    if (isFull) {
      writesUntilFull = 0;
      throw new IOException("No space left on device");
    }
  }

  private Unsynced unsynced(Path file) throws IOException {
    Unsynced unsynced = files.get(file);
    if (unsynced == null) {
      unsynced = new Unsynced(Files.readAllBytes(file));
      files.put(file, unsynced);
    }
    return unsynced;
  }

  @Override
  void force(Path file, FileChannel open) throws IOException {
    beforeSync.run();
    boolean isError = syncsUntilError-- == 0;
    Unsynced unsynced = files.get(file);
    if (unsynced != null) {
      if (!isError) {
        unsynced.writes.forEach(write -> unsynced.take(write, 0, write.bytes().length));
      }
      unsynced.writes.clear();
    }
    if (isError) {
      throw syncError;
    }
  }

  /** Makes a copy of a folder as a loss of power may leave it. */
  void copyAfterPowerLoss(Path from, Path to, Random random) throws IOException {
    try (Stream<Path> all = Files.list(from)) {
      for (Path file : all.toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
    for (Map.Entry<Path, Unsynced> entry : files.entrySet()) {
      Path copy = to.resolve(entry.getKey().getFileName());
      if (Files.exists(copy)) {
        Files.write(copy, afterPowerLoss(entry.getValue(), random));
      }
    }
  }

  private static byte[] afterPowerLoss(Unsynced unsynced, Random random) {
    Unsynced left = new Unsynced(unsynced.durable.clone());
    int piece = PIECES[random.nextInt(PIECES.length)];
    int chance = random.nextInt(5);
    for (Write write : unsynced.writes) {
      int length = write.bytes().length;
      for (int from = 0; from < length; from += Math.min(piece, length - from)) {
        if (random.nextInt(4) < chance) {
          left.take(write, from, from + Math.min(piece, length - from));
        }
      }
    }
    return left.durable;
  }
}
