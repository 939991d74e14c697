package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.engine.CheckpointRestore;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import io.acaciafs.kv.rocksdb.log.local.Manifest;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;

/** Copies the files of a checkpoint to where a store is opened. */
final class CheckpointFiles implements CheckpointRestore {
  private final Path target;

  /**
   * @param target the folder of the store
   */
  CheckpointFiles(Path target) {
    this.target = target;
  }

  @Override
  public boolean isWhole(Path checkpoint) {
    return Manifest.isNamedIn(checkpoint);
  }

  @Override
  public void restore(Path checkpoint) throws IOException {
    Files.createDirectories(target);
    for (Path file : files(checkpoint)) {
      Path copy = target.resolve(file.getFileName());
      if (!isLinked(file, copy)) {
        Files.copy(file, copy);
        try (FileChannel channel = FileChannel.open(copy, StandardOpenOption.WRITE)) {
          channel.force(true);
        }
      }
    }
    LogSegment.syncFolder(target);
  }

  private static List<Path> files(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(Files::isRegularFile).sorted().toList();
    }
  }

  /** RocksDB never changes a table file once it is written, so both folders may have the same. */
  private static boolean isLinked(Path file, Path copy) {
    if (!DatabaseOpener.isTable(file)) {
      return false;
    }
    try {
      Files.createLink(copy, file);
      return true;
    } catch (IOException | UnsupportedOperationException e) {
      return false; // another disk, or one without links
    }
  }
}
