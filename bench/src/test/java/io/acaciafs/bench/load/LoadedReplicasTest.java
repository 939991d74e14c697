package io.acaciafs.bench.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.hadoop.hdfs.protocol.Block;
import org.junit.jupiter.api.Test;

/** Both sides of a replica agree: the block's row and what its DataNode says. */
class LoadedReplicasTest {
  private static final long FILES = 1000;
  private static final LoadedReplicas REPLICAS = new LoadedReplicas(FILES, 11, 3);
  private static final List<Integer> ALL = IntStream.range(0, 11).boxed().toList();

  @Test
  void everyBlockIsHeldWhereItsRowSays() {
    long replicas = 0;
    for (int datanode = 0; datanode < 11; datanode++) {
      int holder = datanode;
      List<Long> files = files(datanode, 0, FILES);
      assertThat(files)
          .isSorted()
          .allSatisfy(file -> assertThat(REPLICAS.of(file, ALL)).hasSize(3).contains(holder));
      replicas += files.size();
    }
    long withBlock =
        LongStream.range(0, FILES).filter(file -> FileSizes.lengthBytes(file) > 0).count();
    assertThat(replicas).isEqualTo(3 * withBlock);
  }

  @Test
  void partsOfFilesAreAllOfThem() {
    for (int datanode = 0; datanode < 11; datanode++) {
      List<Long> inParts = new ArrayList<>();
      for (long from = 0; from < FILES; from += 30) { // ten of each group
        inParts.addAll(files(datanode, from, from + 30));
      }
      assertThat(inParts).isEqualTo(files(datanode, 0, FILES));
    }
  }

  private static List<Long> files(int datanode, long from, long end) {
    return REPLICAS.filesOf(datanode, from, end).boxed().toList();
  }

  @Test
  void blocksAreThoseOfTheFiles() {
    assertThat(REPLICAS.blocksOf(4).toList())
        .isSortedAccordingTo(Comparator.comparingLong(Block::getBlockId))
        .first()
        .satisfies(
            block -> {
              long file = block.getBlockId() - (1L << 30) - 1;
              assertThat(block.getNumBytes()).isEqualTo(FileSizes.lengthBytes(file));
            });
  }
}
