package io.acaciafs.kv.rocksdb.log.local;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/**
 * A file of the log. Its name is the number of the first record in it; its length does not change.
 * What is behind the last record is of no meaning: zeros, or records with smaller numbers. Safe for
 * use by many threads.
 */
public final class LogSegment {
  private static final String SUFFIX = ".commits";
  private static final int HEXADECIMAL = 16;
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path file;
  private final long first;
  private final Disk disk;

  /** How many bytes have their place on the disk. */
  private volatile long capacity;

  /** Of the last record. */
  private volatile long end;

  private @Nullable FileChannel channel;

  private LogSegment(Path file, long first, long capacity, Disk disk) {
    this.file = file;
    this.first = first;
    this.capacity = capacity;
    this.disk = disk;
  }

  /**
   * A new file with all its pages allocated on the disk.
   *
   * @throws FileAlreadyExistsException if the file exists; it may hold records
   */
  static LogSegment create(Path folder, long first, int capacity, Disk disk) throws IOException {
    Path file = fileOf(folder, first);
    requireFree(file);
    uninterrupted(() -> fill(file, 0, capacity, disk));
    syncFolder(folder);
    return new LogSegment(file, first, capacity, disk);
  }

  /** Makes room for more behind what it has room for. */
  void extend(int newCapacity) throws IOException {
    uninterrupted(() -> fill(file, capacity, newCapacity, disk));
    capacity = newCapacity;
  }

  private static void requireFree(Path file) throws IOException {
    if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) {
      throw new FileAlreadyExistsException(file.toString());
    }
  }

  private static void fill(Path file, long from, long to, Disk disk) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(to - from, CHUNK_BYTES));
      for (long next = from; next < to; next += zeros.limit()) {
        zeros.clear().limit((int) Math.min(to - next, zeros.capacity()));
        disk.write(file, channel, zeros, next);
      }
      disk.force(file, channel);
    }
  }

  /** One that was there. */
  static LogSegment of(Path file, Disk disk) throws IOException {
    String name = file.getFileName().toString();
    if (!isSegment(file)) {
      throw new IOException("No segment of the log: " + file);
    }
    String number = name.substring(0, name.length() - SUFFIX.length());
    return new LogSegment(file, Long.parseLong(number, HEXADECIMAL), Files.size(file), disk);
  }

  public static boolean isSegment(Path file) {
    return file.getFileName().toString().matches("[0-7][0-9a-f]{15}\\" + SUFFIX);
  }

  /** The name of the segment that begins with a record. */
  public static String nameOf(long first) {
    return String.format("%016x%s", first, SUFFIX);
  }

  private static Path fileOf(Path folder, long first) {
    return folder.resolve(nameOf(first));
  }

  /** The same file for other records; this is used no more. */
  LogSegment reuse(long firstOfThem) throws IOException {
    close();
    Path folder = requireNonNull(file.getParent());
    Path renamed = fileOf(folder, firstOfThem);
    requireFree(renamed);
    Files.move(file, renamed, StandardCopyOption.ATOMIC_MOVE);
    syncFolder(folder);
    return new LogSegment(renamed, firstOfThem, capacity, disk);
  }

  Path file() {
    return file;
  }

  /** The number of the first record. */
  long first() {
    return first;
  }

  long capacity() {
    return capacity;
  }

  /**
   * A record was added.
   *
   * @param endOfIt where the next one is going to begin
   */
  void added(long endOfIt) {
    end = endOfIt;
  }

  /** Writes all of the buffer. */
  void write(ByteBuffer pages, long position) throws IOException {
    onChannel(open -> disk.write(file, open, pages.duplicate(), position));
  }

  /** Makes durable what was written before. */
  void force() throws IOException {
    onChannel(open -> disk.force(file, open));
  }

  private interface Action {
    void run(FileChannel open) throws IOException;
  }

  /** Something that may be done again. */
  interface Attempt {
    void run() throws IOException;
  }

  private void onChannel(Action action) throws IOException {
    uninterrupted(() -> action.run(channel()));
  }

  /**
   * An interrupted thread closes the channel that it uses, for all other threads too. Commits of
   * others must not fail for that: what was attempted is done again, on a new channel.
   */
  static void uninterrupted(Attempt attempt) throws IOException {
    boolean interrupted = Thread.interrupted();
    try {
      for (boolean done = false; !done; ) {
        try {
          attempt.run();
          done = true;
        } catch (ClosedChannelException e) {
          interrupted |= Thread.interrupted();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private synchronized FileChannel channel() throws IOException {
    if (channel == null || !channel.isOpen()) {
      channel = FileChannel.open(file, StandardOpenOption.WRITE);
    }
    return channel;
  }

  /** Copies the records; those that are added meanwhile are not in the copy. */
  void copyTo(Path folder) throws IOException {
    Path copy = folder.resolve(file.getFileName());
    long length = end;
    uninterrupted(
        () -> {
          try (FileChannel from = FileChannel.open(file, StandardOpenOption.READ);
              FileChannel to =
                  FileChannel.open(
                      copy,
                      StandardOpenOption.CREATE,
                      StandardOpenOption.TRUNCATE_EXISTING,
                      StandardOpenOption.WRITE)) {
            for (long done = 0; done < length; ) {
              done += from.transferTo(done, length - done, to);
            }
            to.force(true);
          }
        });
  }

  void delete() throws IOException {
    close();
    Files.delete(file);
  }

  synchronized void close() throws IOException {
    if (channel != null) {
      channel.close();
    }
  }

  /** Makes durable which files a folder has. */
  public static void syncFolder(Path folder) throws IOException {
    uninterrupted(
        () -> {
          try (FileChannel entries = FileChannel.open(folder, StandardOpenOption.READ)) {
            entries.force(true);
          }
        });
  }
}
