package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream.SyncFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Compares the block locations of files in every state with Hadoop's NameNode. */
@Timeout(300)
class BlockLocationsTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int BLOCK_BYTES = 1024;

  /** Offset and length. */
  private static final List<long[]> RANGES =
      List.of(
          new long[] {0, Long.MAX_VALUE},
          new long[] {0, 0},
          new long[] {0, 1},
          new long[] {5, 1},
          new long[] {BLOCK_BYTES - 1, 1},
          new long[] {BLOCK_BYTES - 1, 2},
          new long[] {BLOCK_BYTES, 0},
          new long[] {BLOCK_BYTES, 1},
          new long[] {1499, 1},
          new long[] {1500, 1},
          new long[] {1501, 10},
          new long[] {100_000, 0},
          new long[] {Long.MAX_VALUE, 0});

  @Test
  void areHdfs() throws Exception {
    List<String> acacia = story(NameNodeProgram.ACACIA);
    List<String> hadoop = story(NameNodeProgram.HADOOP);
    List<String> onlyAcacia = new ArrayList<>(acacia);
    onlyAcacia.removeAll(hadoop);
    List<String> onlyHadoop = new ArrayList<>(hadoop);
    onlyHadoop.removeAll(acacia);
    assertThat(onlyAcacia).as("Hadoop's says " + onlyHadoop).isEmpty();
    assertThat(acacia).isEqualTo(hadoop);
  }

  /** The same things happen, and all answers are written down. */
  private static List<String> story(NameNodeProgram program) throws Exception {
    try (Cluster cluster =
        Cluster.builder("locations")
            .program(program)
            .dataNodes(3)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", BLOCK_BYTES)
            .set("dfs.bytes-per-checksum", 512)
            .set("dfs.namenode.fs-limits.min-block-size", 0)
            .set("dfs.heartbeat.interval", 1)
            .set("dfs.namenode.heartbeat.recheck-interval", 1000)
            .start()) {
      List<String> told = new ArrayList<>();
      DistributedFileSystem fileSystem = cluster.fileSystem();
      fileSystem.create(new Path("/empty")).close();
      told.addAll(ask("empty", fileSystem, "/empty"));
      notFlushed(fileSystem, told);
      flushed(fileSystem, told);
      corrupt(fileSystem, told);
      dead(cluster, told);
      return told;
    }
  }

  private static void notFlushed(DistributedFileSystem fileSystem, List<String> told)
      throws Exception {
    FSDataOutputStream out = fileSystem.create(new Path("/new"));
    told.addAll(ask("no block", fileSystem, "/new"));
    ClientProtocol nameNode = fileSystem.getClient().getNamenode();
    String client = fileSystem.getClient().getClientName();
    long id = fileSystem.getClient().getFileInfo("/new").getFileId();
    nameNode.addBlock("/new", client, null, null, id, null, null);
    told.addAll(ask("block without bytes", fileSystem, "/new"));
    nameNode.fsync("/new", id, client, 700);
    told.addAll(ask("block with a length", fileSystem, "/new"));
    fileSystem.delete(new Path("/new"), false);
    out.getWrappedStream(); // it is never closed: its file is gone
  }

  private static void flushed(DistributedFileSystem fileSystem, List<String> told)
      throws Exception {
    try (FSDataOutputStream out = fileSystem.create(new Path("/f"))) {
      out.write(new byte[10]);
      out.hflush();
      told.addAll(ask("flushed", fileSystem, "/f"));
      out.write(new byte[20]);
      ((HdfsDataOutputStream) out).hsync(EnumSet.of(SyncFlag.UPDATE_LENGTH));
      told.addAll(ask("synced with its length", fileSystem, "/f"));
      out.write(new byte[1470]);
      out.hflush();
      awaitReplicas(fileSystem, "/f", 3); // the first block is complete with its first replica
      told.addAll(ask("in the second block", fileSystem, "/f"));
    }
    awaitReplicas(fileSystem, "/f", 3);
    told.addAll(ask("closed", fileSystem, "/f"));
    try (FSDataOutputStream out = fileSystem.append(new Path("/f"))) {
      told.addAll(ask("opened again", fileSystem, "/f"));
      out.write(new byte[100]);
      out.hflush();
      told.addAll(ask("appended to", fileSystem, "/f"));
    }
    awaitReplicas(fileSystem, "/f", 3);
    told.addAll(ask("closed again", fileSystem, "/f"));
  }

  private static void corrupt(DistributedFileSystem fileSystem, List<String> told)
      throws Exception {
    try (FSDataOutputStream out = fileSystem.create(new Path("/c"))) {
      out.write(new byte[100]);
    }
    awaitReplicas(fileSystem, "/c", 3);
    LocatedBlocks located = blocks(fileSystem, "/c", 0, 1);
    fileSystem
        .getClient()
        .getNamenode()
        .reportBadBlocks(new LocatedBlock[] {located.getLastLocatedBlock()});
    Await.until("corrupt", LIMIT, () -> blocks(fileSystem, "/c", 0, 1).get(0).isCorrupt());
    told.addAll(ask("all replicas corrupt", fileSystem, "/c"));
  }

  private static void dead(Cluster cluster, List<String> told) throws Exception {
    DistributedFileSystem fileSystem = cluster.fileSystem();
    FSDataOutputStream out = fileSystem.create(new Path("/open"));
    out.write(new byte[10]);
    out.hflush();
    cluster.stopDataNodes();
    awaitReplicas(fileSystem, "/f", 0);
    awaitReplicas(fileSystem, "/c", 0);
    told.addAll(ask("all dead", fileSystem, "/f"));
    told.addAll(ask("all dead and corrupt", fileSystem, "/c"));
    told.addAll(ask("all dead while it is written", fileSystem, "/open"));
  }

  private static void awaitReplicas(DistributedFileSystem fileSystem, String path, int count)
      throws Exception {
    Await.until(
        count + " replicas of " + path,
        LIMIT,
        () ->
            blocks(fileSystem, path, 0, Long.MAX_VALUE).getLocatedBlocks().stream()
                .allMatch(block -> block.getLocations().length == count));
  }

  private static List<String> ask(String what, DistributedFileSystem fileSystem, String path)
      throws Exception {
    List<String> told = new ArrayList<>();
    for (long[] range : RANGES) {
      LocatedBlocks located = blocks(fileSystem, path, range[0], range[1]);
      told.add(
          what
              + Arrays.toString(range)
              + ": length="
              + located.getFileLength()
              + " open="
              + located.isUnderConstruction()
              + " lastComplete="
              + located.isLastBlockComplete()
              + located.getLocatedBlocks().stream()
                  .map(BlockLocationsTest::describe)
                  .collect(Collectors.joining("; ", " blocks=[", "]"))
              + " last="
              + (located.getLastLocatedBlock() == null
                  ? null
                  : describe(located.getLastLocatedBlock())));
    }
    return told;
  }

  private static LocatedBlocks blocks(
      DistributedFileSystem fileSystem, String path, long offset, long length) throws Exception {
    return fileSystem.getClient().getNamenode().getBlockLocations(path, offset, length);
  }

  private static String describe(LocatedBlock block) {
    return "at "
        + block.getStartOffset()
        + " size "
        + block.getBlockSize()
        + (block.isCorrupt() ? " corrupt" : "")
        + " on "
        + block.getLocations().length
        + Arrays.toString(block.getStorageTypes())
        + " ids "
        + Stream.ofNullable(block.getStorageIDs()).flatMap(Arrays::stream).distinct().count()
        + " nodes "
        + Arrays.stream(block.getLocations()).map(n -> n.getDatanodeUuid()).distinct().count()
        + " numBlocks "
        + Arrays.stream(block.getLocations()).mapToInt(n -> n.getNumBlocks()).sum()
        + " cached "
        + block.getCachedLocations().length;
  }
}
