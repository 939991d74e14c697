package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

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

  /** All finished block files below a folder. */
  public static List<Path> all(Path dataFolder) throws IOException {
    try (Stream<Path> walk = Files.walk(dataFolder)) {
      return walk.filter(file -> file.toString().contains("/finalized/"))
          .filter(file -> file.getFileName().toString().matches("blk_-?\\d+"))
          .toList();
    }
  }
}
