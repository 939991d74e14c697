package io.acaciafs.tools.common;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds a folder for one process; the operating system lets go when the process dies. */
public final class FolderLock implements AutoCloseable {
  private final FileChannel channel;

  private FolderLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Creates the folder if need be and takes it.
   *
   * @throws CommandFailure when it cannot be made, or another process has it
   */
  public static FolderLock take(Path folder) throws IOException, CommandFailure {
    Folders.create(folder);
    FileChannel channel =
        FileChannel.open(
            folder.resolve("in_use.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    FileLock lock = null;
    try {
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      throw inUse(folder);
    } finally {
      if (lock == null) {
        channel.close();
      }
    }
    if (lock == null) {
      throw inUse(folder);
    }
    return new FolderLock(channel);
  }

  private static CommandFailure inUse(Path folder) {
    return new CommandFailure(
        "The folder "
            + folder
            + " is in use by another process: stop that one first, or choose another --dir.");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
