package io.acaciafs.kv.rocksdb.log.local;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Files that are read as a whole. Stateless. */
public final class SmallFile {
  private SmallFile() {}

  /** Writes a file in a folder, durably: it is there whole, or the one before it. */
  public static void replace(Path folder, String name, String text) throws IOException {
    Path part = folder.resolve(name + ".part");
    LogSegment.uninterrupted(
        () -> {
          try (FileChannel file =
              FileChannel.open(
                  part,
                  StandardOpenOption.CREATE,
                  StandardOpenOption.TRUNCATE_EXISTING,
                  StandardOpenOption.WRITE)) {
            Disk.SYSTEM.write(part, file, ByteBuffer.wrap(text.getBytes(UTF_8)), 0);
            file.force(true);
          }
        });
    Files.move(part, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
    LogSegment.syncFolder(folder);
  }
}
