package io.acaciafs.kv.raft.copy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * A copy of this member's store in a folder beside it, made when another member asks, and kept for
 * as long as one reads it. Most of its files are links. Safe for use by many threads.
 */
public final class StoreCopy {
  /** A reader of a copy asks for the next piece within seconds. */
  private static final long KEPT_NS = TimeUnit.SECONDS.toNanos(60);

  private final Path folder;
  private final Maker maker;
  private final LongSupplier nanoTime;
  private long usedNs;

  /** Members that have begun to fetch it, and have not said that they have all. */
  private int readers;

  private boolean isThere;

  /** Makes copies. */
  @FunctionalInterface
  public interface Maker {
    /**
     * Copies the store to a folder, which is not there, with a file {@link IncomingCopy#STORE_ID}.
     */
    void copyTo(Path folder) throws IOException;
  }

  /**
   * @param folder for the copy; what an earlier process left there is removed
   */
  public StoreCopy(Path folder, Maker maker, LongSupplier nanoTime) throws IOException {
    this.folder = folder.normalize();
    this.maker = maker;
    this.nanoTime = nanoTime;
    remove();
  }

  /**
   * Lists the files: those of a new copy, unless another member reads the one that is there.
   *
   * @param isNew the copy has to be made now
   * @throws IOException with a sentence for people, when it cannot be made now
   */
  synchronized String list(boolean isNew) throws IOException {
    boolean isUnused = !isThere || readers == 0 || nanoTime.getAsLong() - usedNs > KEPT_NS;
    if (!isUnused && isNew) {
      throw new IOException(
          "Another member fetches a copy at the moment. Try again in some minutes");
    }
    if (isUnused) {
      remove();
      maker.copyTo(folder);
      isThere = true;
    }
    usedNs = nanoTime.getAsLong();
    readers++;
    StringBuilder lines = new StringBuilder();
    for (Path file : files()) {
      lines.append(Files.size(file)).append(' ').append(file.getFileName()).append('\n');
    }
    return lines.toString();
  }

  /**
   * @throws IOException for a file that is not there
   */
  synchronized byte[] read(String name, long offset, int atMost) throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(use(name).toFile(), "r")) {
      file.seek(offset);
      byte[] bytes = new byte[atMost];
      int length = Math.max(0, file.read(bytes));
      return Arrays.copyOf(bytes, length);
    }
  }

  /**
   * As {@link FileDigest#of}.
   *
   * @throws IOException for a file that is not there, or is shorter
   */
  byte[] digest(String name, long length) throws IOException {
    return FileDigest.of(use(name), length); // takes long, and others read meanwhile
  }

  private synchronized Path use(String name) throws IOException {
    usedNs = nanoTime.getAsLong();
    Path path = folder.resolve(name).normalize();
    if (!isThere || !folder.equals(path.getParent()) || !Files.isRegularFile(path)) {
      throw new NoSuchFileException(name + " is not in the copy of the store; begin again");
    }
    return path;
  }

  /** A member has fetched all of it; after the last one the copy keeps no disk any more. */
  synchronized void done() throws IOException {
    readers = Math.max(0, readers - 1);
    if (readers == 0) {
      remove();
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> content = Files.list(folder)) {
      return content.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** Removes a copy that nobody has read for a while. */
  public synchronized void removeUnused() throws IOException {
    if (isThere && nanoTime.getAsLong() - usedNs > KEPT_NS) {
      remove();
    }
  }

  private void remove() throws IOException {
    isThere = false;
    readers = 0;
    if (Files.isDirectory(folder)) {
      for (Path file : files()) {
        Files.delete(file);
      }
      Files.delete(folder);
    }
  }
}
