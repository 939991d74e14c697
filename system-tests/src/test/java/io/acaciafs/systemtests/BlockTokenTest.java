package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HadoopTool;
import io.acaciafs.systemtests.harness.NameNodeProcess.Exit;
import io.acaciafs.systemtests.harness.RawBlockReader;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier;
import org.apache.hadoop.hdfs.security.token.block.BlockTokenIdentifier.AccessMode;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Unmodified clients and DataNodes that ask for block tokens. */
class BlockTokenTest {
  private static final int BLOCK_SIZE = 1 << 20;
  private static final int LENGTH = 3 * BLOCK_SIZE + 12_345;
  private static final Content CONTENT = new Content(1, LENGTH);
  private static final Duration LIMIT = Duration.ofSeconds(60);

  private static Cluster.Builder cluster(String name) {
    return Cluster.builder(name)
        .set("dfs.block.access.token.enable", true)
        .set("dfs.blocksize", BLOCK_SIZE)
        .set("dfs.client.socket-timeout", 5000);
  }

  private static byte[] content() {
    return CONTENT.bytes();
  }

  private static BlockTokenIdentifier identifier(Token<BlockTokenIdentifier> token)
      throws IOException {
    BlockTokenIdentifier identifier = new BlockTokenIdentifier();
    identifier.readFields(new DataInputStream(new ByteArrayInputStream(token.getIdentifier())));
    return identifier;
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void filesAreWrittenReadAndChanged(boolean isProtobuf) throws Exception {
    try (Cluster cluster =
        cluster("tokens")
            .set("dfs.block.access.token.protobuf.enable", isProtobuf)
            .dataNodes(2)
            .set("dfs.replication", 2)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      Path file = new Path("/file");
      try (FSDataOutputStream out = fs.create(file)) {
        out.write(content(), 0, BLOCK_SIZE + 100);
        out.hsync();
        byte[] synced = new byte[BLOCK_SIZE + 100];
        try (FSDataInputStream in = fs.open(file)) {
          in.readFully(0, synced);
        }
        assertThat(synced).isEqualTo(Arrays.copyOf(content(), synced.length));
      }
      try (FSDataOutputStream out = fs.append(file)) {
        out.write(content(), BLOCK_SIZE + 100, LENGTH - BLOCK_SIZE - 100);
      }
      assertThat(Content.read(fs, file)).isEqualTo(content());
      assertThat(identifier(RawBlockReader.firstBlock(fs, file).getBlockToken()).getUserId())
          .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());

      int half = BLOCK_SIZE + BLOCK_SIZE / 2;
      if (!fs.truncate(file, half)) {
        Await.until("the truncated block is recovered", LIMIT, () -> fs.isFileClosed(file));
      }
      assertThat(Content.read(fs, file)).isEqualTo(Arrays.copyOf(content(), half));
    }
  }

  /** Which replies have tokens, and for what: as HDFS's. */
  @Test
  void eachReplyHasItsMode() throws Exception {
    try (Cluster cluster = cluster("token-modes").dataNodes(3).set("dfs.replication", 2).start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      ClientProtocol nameNode = fs.getClient().getNamenode();
      String file = "/file";
      HdfsFileStatus created =
          nameNode.create(
              file,
              new FsPermission((short) 0644),
              "writer",
              new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
              true,
              (short) 2,
              BLOCK_SIZE,
              CryptoProtocolVersion.supported(),
              null,
              null);
      long id = created.getFileId();
      LocatedBlock added = nameNode.addBlock(file, "writer", null, null, id, null, null);
      assertToken(added, AccessMode.WRITE);
      assertThat(added.getLocations()).hasSize(2);

      LocatedBlock more =
          nameNode.getAdditionalDatanode(
              file,
              id,
              added.getBlock(),
              added.getLocations(),
              added.getStorageIDs(),
              new DatanodeInfo[0],
              1,
              "writer");
      assertToken(more, AccessMode.COPY);
      assertThat(more.getLocations()).hasSize(3);
      assertToken(nameNode.updateBlockForPipeline(added.getBlock(), "writer"), AccessMode.WRITE);
      LocatedBlock open = nameNode.getBlockLocations(file, 0, 1).getLastLocatedBlock();
      assertToken(open, AccessMode.READ);
      nameNode.abandonBlock(added.getBlock(), id, file, "writer");
      nameNode.complete(file, "writer", null, id);

      Path other = new Path("/other");
      CONTENT.write(fs, other);
      for (int i = 0; i < 4; i++) { // from the third time on the reply may be an old one
        List<LocatedBlock> blocks =
            nameNode.getBlockLocations("/other", 0, LENGTH).getLocatedBlocks();
        assertThat(blocks).hasSize(4);
        for (LocatedBlock block : blocks) {
          assertToken(block, AccessMode.READ);
        }
        assertThat(located(nameNode.getListing("/", new byte[0], true).getPartialListing()[1]))
            .allSatisfy(block -> assertThat(block.getBlockToken().getIdentifier()).isEmpty());
        assertThat(located(nameNode.getLocatedFileInfo("/other", false)))
            .allSatisfy(block -> assertThat(block.getBlockToken().getIdentifier()).isEmpty());
        for (LocatedBlock block : located(nameNode.getLocatedFileInfo("/other", true))) {
          assertToken(block, AccessMode.READ);
        }
      }
      LocatedBlock appended =
          nameNode
              .append("/other", "writer", new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND)))
              .getLastBlock();
      assertToken(appended, AccessMode.WRITE);
    }
  }

  private static List<LocatedBlock> located(HdfsFileStatus status) {
    return ((HdfsLocatedFileStatus) status).getLocatedBlocks().getLocatedBlocks();
  }

  private static void assertToken(LocatedBlock block, AccessMode mode) throws IOException {
    BlockTokenIdentifier identifier = identifier(block.getBlockToken());
    assertThat(identifier.getAccessModes()).containsExactly(mode);
    assertThat(identifier.getBlockId()).isEqualTo(block.getBlock().getBlockId());
    assertThat(identifier.getBlockPoolId()).isEqualTo(block.getBlock().getBlockPoolId());
    if (block.getLocations().length == 0) { // as in HDFS, of updateBlockForPipeline
      assertThat(identifier.getStorageIds()).isEmpty();
      assertThat(identifier.getStorageTypes()).isEmpty();
    } else {
      assertThat(identifier.getStorageIds()).containsExactlyInAnyOrder(block.getStorageIDs());
      assertThat(identifier.getStorageTypes()).containsExactlyInAnyOrder(block.getStorageTypes());
    }
    assertThat(identifier.getUserId())
        .isEqualTo(UserGroupInformation.getCurrentUser().getShortUserName());
  }

  @Test
  void aDataNodeRefusesOtherTokens() throws Exception {
    try (Cluster cluster = cluster("forged-tokens").start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      for (String name : List.of("/one", "/other")) {
        try (FSDataOutputStream out = fs.create(new Path(name))) {
          out.write(content(), 0, 1000);
        }
      }
      LocatedBlock block = RawBlockReader.firstBlock(fs, new Path("/one"));
      Token<BlockTokenIdentifier> own = block.getBlockToken();
      assertThat(RawBlockReader.read(block, own)).contains(Status.SUCCESS);

      Token<BlockTokenIdentifier> others =
          RawBlockReader.firstBlock(fs, new Path("/other")).getBlockToken();
      assertThat(RawBlockReader.read(block, others)).contains(Status.ERROR_ACCESS_TOKEN);
      assertThat(RawBlockReader.read(block, new Token<>())).contains(Status.ERROR_ACCESS_TOKEN);
      byte[] password = own.getPassword().clone();
      password[3] ^= 1;
      assertThat(
              RawBlockReader.read(
                  block,
                  new Token<>(own.getIdentifier(), password, own.getKind(), own.getService())))
          .contains(Status.ERROR_ACCESS_TOKEN);
      byte[] identifier = own.getIdentifier().clone();
      identifier[identifier.length - 1] ^= 1;
      assertThat(
              RawBlockReader.read(
                  block,
                  new Token<>(identifier, own.getPassword(), own.getKind(), own.getService())))
          .contains(Status.ERROR_ACCESS_TOKEN);

      // what was given before a restart stays valid, as the keys are stored
      cluster.killNameNode();
      cluster.startNameNode();
      assertThat(RawBlockReader.read(block, own)).contains(Status.SUCCESS);
      assertThat(
              RawBlockReader.read(
                  block, RawBlockReader.firstBlock(fs, new Path("/one")).getBlockToken()))
          .contains(Status.SUCCESS);
    }
  }

  /** A writer gets another DataNode, and DataNodes copy blocks to each other. */
  @Test
  void aDataNodeIsLost() throws Exception {
    loseADataNode(false);
  }

  @Test
  @Tag("long")
  void aDataNodeIsLostAndDataIsEncrypted() throws Exception {
    loseADataNode(true);
  }

  private static void loseADataNode(boolean isEncrypted) throws Exception {
    try (Cluster cluster =
        cluster("tokens-lost-node")
            .set("dfs.encrypt.data.transfer", isEncrypted)
            .dataNodes(4)
            .set("dfs.replication", 3)
            .set("dfs.namenode.heartbeat.recheck-interval", 1000)
            .set("dfs.namenode.redundancy.interval.seconds", 1)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      Path file = new Path("/file");
      FSDataOutputStream out = fs.create(file);
      out.write(content(), 0, BLOCK_SIZE / 2);
      out.hsync();
      stopFirst(cluster, file);
      out.write(content(), BLOCK_SIZE / 2, LENGTH - BLOCK_SIZE / 2);
      out.close();
      assertThat(Content.read(fs, file)).isEqualTo(content());

      String second = stopFirst(cluster, file);
      cluster.addDataNodes(1);
      Await.until(
          "three replicas of each block again",
          LIMIT,
          () ->
              fs
                  .getClient()
                  .getNamenode()
                  .getBlockLocations(file.toString(), 0, LENGTH)
                  .getLocatedBlocks()
                  .stream()
                  .allMatch(
                      block ->
                          block.getLocations().length == 3
                              && List.of(block.getLocations()).stream()
                                  .noneMatch(node -> node.getDatanodeUuid().equals(second))));
      assertThat(Content.read(fs, file)).isEqualTo(content());
    }
  }

  /** Stops the first DataNode of a file, and says which it was. */
  private static String stopFirst(Cluster cluster, Path file) throws IOException {
    String uuid =
        RawBlockReader.firstBlock(cluster.fileSystem(), file).getLocations()[0].getDatanodeUuid();
    cluster.stopDataNode(
        cluster.dataNodes().stream()
            .filter(node -> node.getDatanodeUuid().equals(uuid))
            .findAny()
            .orElseThrow());
    return uuid;
  }

  /** The NameNode first, and then the DataNodes, which learn it only at their start. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void tokensAreSwitchedOnAndOff(boolean isOn) throws Exception {
    String key = "dfs.block.access.token.enable";
    try (Cluster cluster = cluster("tokens-switched").set(key, !isOn).start()) {
      Path file = new Path("/file");
      CONTENT.write(cluster.fileSystem(), file);
      cluster.configure(Map.of(key, String.valueOf(isOn)));
      cluster.restartNameNode();
      assertThat(readWithoutToken(cluster, file))
          .contains(isOn ? Status.SUCCESS : Status.ERROR_ACCESS_TOKEN);

      cluster.stopDataNodes();
      cluster.startDataNodes();
      DataNode dataNode = cluster.dataNodes().get(0);
      Await.until("registration of the DataNode", LIMIT, dataNode::isDatanodeFullyStarted);
      assertThat(readWithoutToken(cluster, file))
          .contains(isOn ? Status.ERROR_ACCESS_TOKEN : Status.SUCCESS);
      assertThat(Content.read(cluster.fileSystem(), file)).isEqualTo(content());
    }
  }

  private static Optional<Status> readWithoutToken(Cluster cluster, Path file) throws IOException {
    return RawBlockReader.read(
        RawBlockReader.firstBlock(cluster.fileSystem(), file), new Token<>());
  }

  /** Clients learn it from the NameNode, and need no setting of their own. */
  @Test
  void dataIsEncrypted() throws Exception {
    try (Cluster cluster =
        cluster("encrypted").set("dfs.encrypt.data.transfer", true).dataNodes(2).start()) {
      try (DistributedFileSystem fs =
          cluster.newFileSystem(Map.of("dfs.encrypt.data.transfer", "false"))) {
        assertThat(fs.getServerDefaults(new Path("/")).getEncryptDataTransfer()).isTrue();
        assertThat(fs.getClient().getNamenode().getDataEncryptionKey()).isNotNull();
        Path file = new Path("/file");
        CONTENT.write(fs, file);
        assertThat(Content.read(fs, file)).isEqualTo(content());
        LocatedBlock block = RawBlockReader.firstBlock(fs, file);
        assertThat(RawBlockReader.read(block, block.getBlockToken()))
            .as("not encrypted: the DataNode ends the connection")
            .isEmpty();
        cluster.restartNameNode();
        assertThat(Content.read(fs, file)).isEqualTo(content());
      }
    }
  }

  /** Hadoop's mover signs tokens of its own, and moves replicas between storages and DataNodes. */
  @Test
  void theMoverMovesEncryptedBlocks() throws Exception {
    moveBlocks(true);
  }

  @Test
  @Tag("long")
  void theMoverMovesBlocks() throws Exception {
    moveBlocks(false);
  }

  private static void moveBlocks(boolean isEncrypted) throws Exception {
    try (Cluster cluster =
        cluster("tokens-mover")
            .set("dfs.encrypt.data.transfer", isEncrypted)
            .storageTypes(StorageType.DISK, StorageType.ARCHIVE)
            .dataNodes(2)
            .set("dfs.replication", 2)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      Path file = new Path("/file");
      CONTENT.write(fs, file);
      assertThat(RawBlockReader.firstBlock(fs, file).getStorageTypes())
          .containsOnly(StorageType.DISK);
      fs.setStoragePolicy(file, "COLD");

      Await.until(
          "all replicas in the archive",
          LIMIT.multipliedBy(3),
          () -> {
            // Hadoop 3.5's mover fails when it looks a second time: "Metrics source ... already
            // exists!"
            Exit mover = HadoopTool.run(cluster, LIMIT, Mover.class, "-p", "/file");
            assertThat(mover.output()).doesNotContain("Failed to move");
            return fs
                .getClient()
                .getNamenode()
                .getBlockLocations("/file", 0, LENGTH)
                .getLocatedBlocks()
                .stream()
                .flatMap(block -> Arrays.stream(block.getStorageTypes()))
                .allMatch(type -> type == StorageType.ARCHIVE);
          });
      assertThat(Content.read(fs, file)).isEqualTo(content());
    }
  }

  /** Two rolls of the keys, and tokens that live for a minute. */
  @Test
  @Tag("long")
  void tokensExpireWhileReadersAndWritersGoOn() throws Exception {
    try (Cluster cluster =
        cluster("tokens-expire")
            .dataNodes(4)
            .set("dfs.replication", 3)
            .set("dfs.blocksize", 64 << 20)
            .set("dfs.block.access.key.update.interval", 1)
            .set("dfs.block.access.token.lifetime", 1)
            .start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      Path written = new Path("/written");
      Path file = new Path("/file");
      CONTENT.write(fs, file);
      LocatedBlock old = RawBlockReader.firstBlock(fs, file);
      int firstKey = identifier(old.getBlockToken()).getKeyId();
      try (FSDataInputStream in = fs.open(file);
          FSDataOutputStream out = fs.create(written)) {
        byte[] part = new byte[1000];
        out.write(content(), 0, 1000);
        out.hsync();
        Await.until(
            "two rolls of the keys",
            Duration.ofSeconds(200),
            () -> {
              in.readFully(BLOCK_SIZE, part); // with the locations of the open
              fs.open(file).close();
              return identifier(RawBlockReader.firstBlock(fs, file).getBlockToken()).getKeyId()
                  >= firstKey + 2;
            });
        assertThat(part).isEqualTo(Arrays.copyOfRange(content(), BLOCK_SIZE, BLOCK_SIZE + 1000));
        assertThat(RawBlockReader.read(old, old.getBlockToken()))
            .contains(Status.ERROR_ACCESS_TOKEN);
        assertThat(RawBlockReader.read(old, RawBlockReader.firstBlock(fs, file).getBlockToken()))
            .contains(Status.SUCCESS);
        stopFirst(cluster, written); // the pipeline gets new tokens, by new keys
        out.write(content(), 1000, LENGTH - 1000);
      }
      assertThat(Content.read(fs, written)).isEqualTo(content());
    }
  }
}
