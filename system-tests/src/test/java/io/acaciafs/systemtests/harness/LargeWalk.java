package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What Hadoop's client finds in a namespace too large to be kept: how many files and directories
 * there are, a checksum of the attributes of all, and of a sample the blocks and where they are.
 *
 * @param attributes the sum of a hash of each inode's line, in whatever order they came
 * @param sample a line for each file, sorted
 */
public record LargeWalk(long files, long directories, long attributes, List<String> sample) {
  private static final int THREADS = 8;
  private static final long ODD = 0x9E3779B97F4A7C15L;

  /**
   * Walks through all.
   *
   * @param every about one file of so many is in the sample: always the same ones
   */
  public static LargeWalk of(DistributedFileSystem fs, int every) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      Walk walk = new Walk(fs, every);
      List<Path> level = List.of(new Path("/"));
      while (!level.isEmpty()) {
        List<Callable<List<Path>>> listings = new ArrayList<>();
        level.forEach(directory -> listings.add(() -> walk.list(directory)));
        List<Path> next = new ArrayList<>();
        for (Future<List<Path>> listing : threads.invokeAll(listings)) {
          next.addAll(listing.get());
        }
        level = next;
      }
      return new LargeWalk(
          walk.files.sum(),
          walk.directories.sum(),
          walk.attributes.sum(),
          walk.sample.stream().sorted().toList());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Fails where another walk has found anything else. */
  public void requireSame(LargeWalk other) {
    assertThat(TreePicture.differences(sample, other.sample)).isEmpty();
    assertThat(other.files).isEqualTo(files);
    assertThat(other.directories).isEqualTo(directories);
    assertThat(other.attributes).isEqualTo(attributes);
  }

  /** Under way. For many threads. */
  private static final class Walk {
    private final DistributedFileSystem fs;
    private final int every;
    private final LongAdder files = new LongAdder();
    private final LongAdder directories = new LongAdder();
    private final LongAdder attributes = new LongAdder();
    private final Queue<String> sample = new ConcurrentLinkedQueue<>();

    Walk(DistributedFileSystem fs, int every) {
      this.fs = fs;
      this.every = every;
    }

    List<Path> list(Path directory) throws IOException {
      List<Path> below = new ArrayList<>();
      for (FileStatus child : fs.listStatus(directory)) {
        String line = child + " " + ((HdfsFileStatus) child).getFileId();
        attributes.add(hash(line));
        if (child.isDirectory()) {
          directories.increment();
          below.add(child.getPath());
        } else {
          files.increment();
          String path = child.getPath().toUri().getPath();
          if (Math.floorMod(path.hashCode(), every) == 0) {
            sample.add(line + places(path));
          }
        }
      }
      return below;
    }

    private String places(String path) throws IOException {
      StringBuilder line = new StringBuilder();
      for (LocatedBlock block :
          fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE).getLocatedBlocks()) {
        line.append(' ').append(block.getBlock()).append(' ').append(block.getBlockSize());
        IntStream.range(0, block.getLocations().length)
            .mapToObj(
                i ->
                    block.getLocations()[i].getDatanodeUuid()
                        + " "
                        + block.getStorageIDs()[i]
                        + " "
                        + block.getStorageTypes()[i])
            .sorted()
            .forEach(place -> line.append(' ').append(place));
      }
      return line.toString();
    }

    private static long hash(String line) {
      long hash = 1;
      for (int i = 0; i < line.length(); i++) {
        hash = 31 * hash + line.charAt(i);
      }
      return hash * ODD;
    }
  }
}
