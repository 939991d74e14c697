package io.acaciafs.systemtests.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;

/**
 * What failovers of an {@link HaCluster} must not cost: replicas, and full reports of DataNodes.
 * Stateless.
 */
public final class BlocksAfterFailovers {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** After it a new leader takes a DataNode no more for one that has just started. */
  private static final long STARTED_MS = 65_000;

  private BlocksAfterFailovers() {}

  /** Returns when a new leader has no reason of its own to ask DataNodes for full reports. */
  public static void awaitDataNodesKnown() throws Exception {
    Await.pass(STARTED_MS);
  }

  /** The full reports that a NameNode has taken since its latest start. */
  public static List<String> fullReports(HaCluster cluster, int member) throws IOException {
    return cluster.nameNode(member).log().stream()
        .filter(line -> line.contains("Full report reconciled"))
        .toList();
  }

  /** The same of all NameNodes. */
  public static List<String> fullReports(HaCluster cluster) throws IOException {
    List<String> all = new ArrayList<>();
    for (int member = 0; member < cluster.size(); member++) {
      all.addAll(fullReports(cluster, member));
    }
    return all;
  }

  /** No block is missing or corrupt, and each below this directory gets all its replicas. */
  public static void assertWhole(DistributedFileSystem fs, Path directory) throws Exception {
    Await.until("all replicas of all blocks", LIMIT, () -> haveAllReplicas(fs, directory));
    assertThat(fs.getMissingBlocksCount()).isZero();
    assertThat(fs.getCorruptBlocksCount()).isZero();
  }

  private static boolean haveAllReplicas(DistributedFileSystem fs, Path directory)
      throws IOException {
    if (fs.getLowRedundancyBlocksCount() > 0) {
      return false;
    }
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(directory, true);
    while (files.hasNext()) {
      HdfsLocatedFileStatus file = (HdfsLocatedFileStatus) files.next();
      for (LocatedBlock block : file.getLocatedBlocks().getLocatedBlocks()) {
        if (block.getLocations().length != file.getReplication()) {
          return false;
        }
      }
    }
    return true;
  }
}
