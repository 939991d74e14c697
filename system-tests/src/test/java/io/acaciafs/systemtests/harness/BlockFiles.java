package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** The finished block files that DataNodes hold on disk. */
public final class BlockFiles {
  private BlockFiles() {}

  /** The lengths, in bytes, of all finished replicas of a block below the folders. */
  public static List<Long> lengths(List<Path> dataFolders, long blockId) throws IOException {
    String name = "blk_" + blockId;
    List<Long> lengths = new ArrayList<>();
    for (Path folder : dataFolders) {
      for (Path file : all(folder)) {
        if (file.getFileName().toString().equals(name)) {
          lengths.add(Files.size(file));
        }
      }
    }
    return lengths;
  }

  /** The names of all below the folders, each with its folder: no file may change its DataNode. */
  public static List<String> names(List<Path> dataFolders) throws IOException {
    List<String> names = new ArrayList<>();
    for (Path folder : dataFolders) {
      all(folder).forEach(file -> names.add(file.toString()));
    }
    names.sort(null);
    return names;
  }

  /** Waits until every DataNode has said what it has. */
  public static void awaitReplicas(DistributedFileSystem fs, Duration limit) throws Exception {
    Await.until(
        "reports of all replicas",
        limit,
        () -> fs.getMissingBlocksCount() == 0 && fs.getLowRedundancyBlocksCount() == 0);
  }

  /** All finished block files below a folder. */
  public static List<Path> all(Path dataFolder) throws IOException {
    return finishedOrNot(dataFolder).stream()
        .filter(file -> file.toString().contains("/finalized/"))
        .toList();
  }

  /** Those of them that are in a trash of the DataNode, or those that are not. */
  public static List<Path> all(Path dataFolder, boolean inTrash) throws IOException {
    return all(dataFolder).stream()
        .filter(file -> file.toString().contains("/trash/") == inTrash)
        .toList();
  }

  /** All block files below a folder. A DataNode may add and delete files meanwhile. */
  static List<Path> finishedOrNot(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().matches("blk_-?\\d+")) {
              found.add(file);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE; // deleted after it was listed
            }
            throw e;
          }
        });
    return found;
  }
}
