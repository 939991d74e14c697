package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.LossyClient;
import io.acaciafs.systemtests.harness.LossyClient.Between;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LastBlockWithStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.io.EnumSetWritable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * As {@link LostReplyTest}, for calls of those who write blocks: some leave their answer, others
 * are recognised by what they say.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class WriterLostReplyTest {
  private static final Path FILE = new Path("/file");
  private static final String SRC = FILE.toString();
  private static final String CLIENT = "client";
  private static final int BLOCK_SIZE = 1 << 20;
  private static final byte[] BYTES = new Content(9, 3 * BLOCK_SIZE).bytes();
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private Cluster cluster;
  private LossyClient client;
  private ClientProtocol nameNode;
  private DistributedFileSystem fs;

  @BeforeAll
  void start() throws Exception {
    cluster =
        Cluster.builder("writer-lost-reply").dataNodes(1).set("dfs.blocksize", BLOCK_SIZE).start();
    fs = cluster.fileSystem();
    client = new LossyClient(cluster);
    nameNode = client.nameNode();
  }

  @AfterAll
  void stop() throws Exception {
    client.close();
    cluster.close();
  }

  @BeforeEach
  void removeFiles() throws Exception {
    write(fs, FILE, 0, 1); // waits for DataNodes
    fs.delete(FILE, true);
  }

  @AfterEach
  void checkThatAReplyWasLost() throws Exception {
    assertThat(client.hasLost()).isTrue();
  }

  Stream<Between> between() {
    return LossyClient.between(cluster);
  }

  private static void write(DistributedFileSystem fs, Path file, int from, int to)
      throws Exception {
    try (FSDataOutputStream out = fs.create(file)) {
      out.write(BYTES, from, to - from);
    }
  }

  private void check(int lengthBytes) throws Exception {
    assertThat(Content.read(fs, FILE)).isEqualTo(Arrays.copyOf(BYTES, lengthBytes));
  }

  private EnumSetWritable<CreateFlag> flags(CreateFlag... flags) {
    return new EnumSetWritable<>(EnumSet.copyOf(List.of(flags)), CreateFlag.class);
  }

  private void open() throws Exception {
    nameNode.create(
        SRC,
        FsPermission.getFileDefault(),
        CLIENT,
        flags(CreateFlag.CREATE),
        true,
        (short) 1,
        BLOCK_SIZE,
        CryptoProtocolVersion.supported(),
        null,
        null);
  }

  /** Of a new file, that nobody has begun to write. */
  private LocatedBlock openBlock() throws Exception {
    open();
    return addBlock();
  }

  private LocatedBlock addBlock() throws Exception {
    return nameNode.addBlock(SRC, CLIENT, null, null, 0, null, null);
  }

  /** Null where there is none. */
  private LocatedBlock lastBlock() throws Exception {
    return fs.getClient().getLocatedBlocks(SRC, 0).getLastLocatedBlock();
  }

  // ---- calls that leave their answer

  @ParameterizedTest
  @MethodSource("between")
  void appendWithinABlock(Between between) throws Exception {
    write(fs, FILE, 0, 1000);
    ExtendedBlock last = lastBlock().getBlock();
    client.loseReplyTo("append", between);
    LastBlockWithStatus answer = nameNode.append(SRC, CLIENT, flags(CreateFlag.APPEND));

    assertThat(answer.getLastBlock().getBlock()).isEqualTo(last);
    assertThat(answer.getLastBlock().getBlockSize()).isEqualTo(1000);
    assertThat(answer.getLastBlock().getLocations()).hasSize(1);
    assertThat(answer.getFileStatus().getLen()).isEqualTo(1000);
  }

  @ParameterizedTest
  @MethodSource("between")
  void appendBehindABlock(Between between) throws Exception {
    write(fs, FILE, 0, BLOCK_SIZE);
    client.loseReplyTo("append", between);
    LastBlockWithStatus answer = nameNode.append(SRC, CLIENT, flags(CreateFlag.APPEND));

    assertThat(answer.getLastBlock()).isNull();
    assertThat(answer.getFileStatus().getLen()).isEqualTo(BLOCK_SIZE);
  }

  @ParameterizedTest
  @MethodSource("between")
  void concat(Between between) throws Exception {
    Path second = new Path("/second");
    write(fs, FILE, 0, 1000);
    write(fs, second, 1000, 3000);
    client.loseReplyTo("concat", between);

    nameNode.concat(SRC, new String[] {second.toString()});
    cluster.awaitDataNodes();
    check(3000);
    assertThat(fs.exists(second)).isFalse();
  }

  @ParameterizedTest
  @MethodSource("between")
  void updatePipeline(Between between) throws Exception {
    LocatedBlock block = openBlock();
    ExtendedBlock old = block.getBlock();
    LocatedBlock stamped = nameNode.updateBlockForPipeline(old, CLIENT);
    ExtendedBlock updated =
        new ExtendedBlock(
            old.getBlockPoolId(), old.getBlockId(), 5, stamped.getBlock().getGenerationStamp());
    client.loseReplyTo("updatePipeline", between);

    DatanodeID[] nodes = block.getLocations();
    nameNode.updatePipeline(CLIENT, old, updated, nodes, block.getStorageIDs());
    assertThat(lastBlock().getBlock()).isEqualTo(updated);
  }

  // ---- calls that are recognised by what they say

  @ParameterizedTest
  @MethodSource("between")
  void addBlockGivesTheSameBlock(Between between) throws Exception {
    open();
    client.loseReplyTo("addBlock", between);
    LocatedBlock answer = addBlock();

    assertThat(answer.getLocations()).hasSize(1);
    assertThat(lastBlock().getBlock()).isEqualTo(answer.getBlock());
    assertThat(lastBlock().getStartOffset()).isZero();
  }

  @ParameterizedTest
  @MethodSource("between")
  void abandonBlock(Between between) throws Exception {
    LocatedBlock block = openBlock();
    client.loseReplyTo("abandonBlock", between);

    nameNode.abandonBlock(block.getBlock(), 0, SRC, CLIENT);
    assertThat(lastBlock()).isNull();
  }

  @ParameterizedTest
  @MethodSource("between")
  void updateBlockForPipelineGivesAnotherStamp(Between between) throws Exception {
    LocatedBlock block = openBlock();
    client.loseReplyTo("updateBlockForPipeline", between);

    assertThat(
            nameNode
                .updateBlockForPipeline(block.getBlock(), CLIENT)
                .getBlock()
                .getGenerationStamp())
        .isGreaterThan(block.getBlock().getGenerationStamp());
  }

  @ParameterizedTest
  @MethodSource("between")
  void truncate(Between between) throws Exception {
    write(fs, FILE, 0, BLOCK_SIZE);
    client.loseReplyTo("truncate", between);

    assertThat(nameNode.truncate(SRC, 1000, CLIENT)).isFalse();
    cluster.awaitDataNodes();
    Await.until("the cut", LIMIT, () -> fs.isFileClosed(FILE));
    check(1000);
  }

  @ParameterizedTest
  @MethodSource("between")
  void wholeFilesAreWrittenAndWrittenOn(Between between) throws Exception {
    DistributedFileSystem lossy = client.fileSystem();
    for (String method : List.of("create", "addBlock", "complete")) {
      client.loseReplyTo(method, between);
      write(lossy, FILE, 0, 2 * BLOCK_SIZE);
      assertThat(client.hasLost()).isTrue();
      cluster.awaitDataNodes();
      check(2 * BLOCK_SIZE);
    }
    for (String method : List.of("append", "addBlock", "complete")) {
      write(fs, FILE, 0, 1000);
      client.loseReplyTo(method, between);
      try (FSDataOutputStream out = lossy.append(FILE)) {
        out.write(BYTES, 1000, BLOCK_SIZE);
      }
      assertThat(client.hasLost()).isTrue();
      cluster.awaitDataNodes();
      check(1000 + BLOCK_SIZE);
    }
  }
}
