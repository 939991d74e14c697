package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.junit.jupiter.api.Test;

/** Writers do not notice that a DataNode which they write to goes away. */
class PipelineTest {
  private static final int FILES = 6;
  private static final int BLOCK_SIZE = 1 << 20;
  private static final int LENGTH = 3 * BLOCK_SIZE + 12_345;

  /** In the middle of the second block. */
  private static final int STOP_AT = BLOCK_SIZE + BLOCK_SIZE / 2;

  @Test
  void filesAreWrittenThroughTheLossOfADataNode() throws Exception {
    write("pipeline-shrinks", 3, false);
  }

  /** Who has synced gets another DataNode in the place of the lost one. */
  @Test
  void lostDataNodeIsReplacedForWhoHasSynced() throws Exception {
    write("pipeline-grows", 4, true);
  }

  private static void write(String name, int dataNodes, boolean syncs) throws Exception {
    try (Cluster cluster =
        Cluster.builder(name)
            .dataNodes(dataNodes)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_SIZE)
            .set("dfs.client.socket-timeout", 5000)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      List<FSDataOutputStream> streams = new ArrayList<>();
      for (int i = 0; i < FILES; i++) {
        FSDataOutputStream out = fs.create(path(i));
        out.write(content(i), 0, STOP_AT);
        if (syncs) {
          out.hsync();
        } else {
          out.flush();
        }
        streams.add(out);
      }
      cluster.dataNodes().get(0).shutdown();
      for (int i = 0; i < FILES; i++) {
        try (FSDataOutputStream out = streams.get(i)) {
          out.write(content(i), STOP_AT, LENGTH - STOP_AT);
        }
      }
      boolean anyStampGrew = false;
      for (int i = 0; i < FILES; i++) {
        assertThat(Content.read(fs, path(i))).as("content of %s", path(i)).isEqualTo(content(i));
        for (LocatedBlock block : blocks(fs, path(i))) {
          anyStampGrew |= block.getBlock().getGenerationStamp() > 1001;
        }
      }
      assertThat(anyStampGrew).as("a pipeline was built anew").isTrue();
      cluster.restartNameNode();
      assertThat(Content.read(fs, path(0))).isEqualTo(content(0));
    }
  }

  private static List<LocatedBlock> blocks(DistributedFileSystem fs, Path file) throws Exception {
    return fs.getClient()
        .getNamenode()
        .getBlockLocations(file.toString(), 0, LENGTH)
        .getLocatedBlocks();
  }

  private static Path path(int i) {
    return new Path("/file-" + i);
  }

  private static byte[] content(int i) {
    return new Content(i, LENGTH).bytes();
  }
}
