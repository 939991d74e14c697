package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.AbandonedWriter;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.BlockFiles;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.MigrateCommand;
import io.acaciafs.systemtests.harness.MigrateCommand.Migrated;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.StoreReport;
import io.acaciafs.systemtests.harness.TreePicture;
import io.acaciafs.systemtests.harness.VariedTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.security.token.Token;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A file system goes from its NameNode's folder to HBase and back again, each time by a migration
 * that is killed half way and run again; its DataNodes stay, and keep every block where it is. Seen
 * by Hadoop's own client all is the same each time.
 */
class MigrationTest {
  private static final int FILES = Integer.getInteger("acacia.migration-files", 1000);
  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(5);
  private static final Duration LIMIT = Duration.ofSeconds(120 + FILES / 100);
  private static final org.apache.hadoop.fs.Path OPEN = new org.apache.hadoop.fs.Path("/open");
  private static final Content SYNCED = new Content(3, 1500);

  /** So few that a migration that is killed has come to some of them. */
  private static final int ROWS_BETWEEN_MARKS = 500;

  @TempDir private Path folder;

  /** What Hadoop's client sees, and where the replicas are. */
  private record Seen(List<String> tree, List<String> locations) {
    static Seen of(DistributedFileSystem fs) throws Exception {
      List<String> locations = new ArrayList<>();
      RemoteIterator<LocatedFileStatus> files =
          fs.listFiles(new org.apache.hadoop.fs.Path("/"), true);
      while (files.hasNext()) {
        String path = files.next().getPath().toUri().getPath();
        LocatedBlocks blocks = fs.getClient().getLocatedBlocks(path, 0, Long.MAX_VALUE);
        for (LocatedBlock block : blocks.getLocatedBlocks()) {
          locations.add(
              path
                  + " "
                  + block.getBlock().getBlockName()
                  + " "
                  + Arrays.stream(block.getLocations())
                      .map(node -> node.getDatanodeUuid())
                      .sorted()
                      .toList());
        }
      }
      return new Seen(TreePicture.of(fs), locations);
    }

    void requireSame(Seen now) {
      assertThat(TreePicture.differences(tree, now.tree)).isEmpty();
      assertThat(TreePicture.differences(locations, now.locations)).isEmpty();
    }
  }

  @Test
  void goesToHBaseAndBackWithItsBlocks() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    Map<String, String> settings = new TreeMap<>();
    settings.put("dfs.blocksize", Integer.toString(VariedTree.BLOCK_SIZE));
    settings.put("dfs.namenode.fs-limits.min-block-size", "512");
    settings.put("dfs.namenode.accesstime.precision", "0");
    settings.put("dfs.namenode.delegation.token.always-use", "true");
    settings.put("acacia.store.hbase.regions", "4");
    settings.put("acacia.store.hbase.load.folder", folder.resolve("load").toUri().toString());
    Cluster.Builder builder = Cluster.builder("migration").dataNodes(3);
    settings.forEach(builder::set);
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
        Cluster cluster = builder.set("acacia.store.hbase.zookeeper", hbase.zooKeeper()).start()) {
      settings.put("acacia.store.hbase.zookeeper", hbase.zooKeeper());
      DistributedFileSystem fs = cluster.fileSystem();
      VariedTree tree = new VariedTree(fs, FILES);
      tree.make();
      AbandonedWriter.write(cluster, OPEN, SYNCED, folder.resolve("writer.log"));
      Token<?> token = fs.getDelegationToken(System.getProperty("user.name"));
      Seen before = Seen.of(fs);
      assertThat(before.tree()).hasSizeGreaterThan(FILES);
      assertThat(before.locations()).isNotEmpty();
      List<String> blockFiles = BlockFiles.names(cluster.dataFolders());
      Path old = cluster.nameFolder();
      MigrateCommand migrate =
          new MigrateCommand(cluster, folder.resolve("logs"), COMMAND_LIMIT, "-Xmx512m");
      refusedWhileServed(migrate, old.toString(), "hbase");
      cluster.stopNameNode();

      cluster.useNameNode(NameNodeProgram.ACACIA, "name-hbase");
      use(cluster, "hbase", settings);
      Migrated there =
          migrate.killedAndResumed(
              cluster.nameFolder(), old.toString(), "hbase", ROWS_BETWEEN_MARKS, 1);
      assertThat(there.rows()).isGreaterThan(2 * FILES);
      startAndCompare(cluster, tree, before, blockFiles);
      assertThat(token.renew(cluster.clientConfiguration())).isPositive();
      refusedWhileServed(migrate, "hbase", folder.resolve("too-early").toString());

      goOn(fs);
      Seen changed = Seen.of(fs);
      blockFiles = BlockFiles.names(cluster.dataFolders());
      cluster.stopNameNode();
      cluster.useNameNode(NameNodeProgram.ACACIA, "name-back");
      Path back = cluster.nameFolder();
      beginsAnewWhereTheSourceIsNotWhatWasCompared(migrate, back, "hbase", back.toString());
      Migrated hereAgain =
          migrate.killedAndResumed(back, "hbase", back.toString(), ROWS_BETWEEN_MARKS, 1);
      assertThat(hereAgain.rows()).isGreaterThan(2 * FILES);
      assertThat(hereAgain.checksum()).isNotEqualTo(there.checksum());
      use(cluster, "rocksdb", settings);
      startAndCompare(cluster, tree, changed, blockFiles);
      assertThat(token.renew(cluster.clientConfiguration())).isPositive();
      new Content(9, 3000).write(fs, new org.apache.hadoop.fs.Path("/written-after-all"));
      cluster.stopNameNode();
      assertThat(StoreReport.damage(cluster.clientConfiguration())).isEmpty();
    }
  }

  private static void use(Cluster cluster, String engine, Map<String, String> settings)
      throws IOException {
    settings.put("acacia.store.engine", engine);
    settings.put("dfs.namenode.name.dir", cluster.nameFolder().toUri().toString());
    cluster.configure(settings);
  }

  private static void startAndCompare(
      Cluster cluster, VariedTree tree, Seen before, List<String> blockFiles) throws Exception {
    DistributedFileSystem fs = cluster.fileSystem();
    cluster.startNameNode();
    cluster.awaitDataNodes();
    BlockFiles.awaitReplicas(fs, LIMIT);
    before.requireSame(Seen.of(fs));
    tree.checkContents(fs);
    assertThat(BlockFiles.names(cluster.dataFolders())).isEqualTo(blockFiles);
  }

  /**
   * Life goes on: what was open is closed, and there are new files, longer ones, and moved ones.
   */
  private static void goOn(DistributedFileSystem fs) throws Exception {
    Await.until("recovery", LIMIT, () -> fs.recoverLease(OPEN));
    assertThat(Content.read(fs, OPEN)).isEqualTo(SYNCED.bytes());
    new Content(7, 5000).write(fs, new org.apache.hadoop.fs.Path("/new"));
    fs.mkdirs(new org.apache.hadoop.fs.Path("/made/on/hbase"));
    fs.rename(
        new org.apache.hadoop.fs.Path("/new"), new org.apache.hadoop.fs.Path("/made/on/hbase/it"));
    try (FSDataOutputStream out = fs.append(OPEN)) {
      out.write(new Content(8, 700).bytes());
    }
    BlockFiles.awaitReplicas(fs, LIMIT);
  }

  /** A migration fails when all is compared, and the next one finds something else to compare. */
  private static void beginsAnewWhereTheSourceIsNotWhatWasCompared(
      MigrateCommand migrate, Path filled, String from, String to) throws Exception {
    Path marks = filled.resolve("current/migration");
    Path inTheWay = filled.resolve("current/VERSION");
    try (AcaciaCommand failing =
        migrate.start(from, to, "--rows", Integer.toString(ROWS_BETWEEN_MARKS))) {
      Await.until("marks of a migration", LIMIT, () -> Files.exists(marks));
      Files.createDirectory(inTheWay);
      assertThat(failing.awaitExit(COMMAND_LIMIT)).as(failing.output()).isEqualTo(1);
    }
    Files.delete(inTheWay);
    String compared = Files.readString(marks);
    assertThat(compared).contains("compared=");
    Files.writeString(marks, compared.replace("compared=", "compared=1"));
    try (AcaciaCommand command = migrate.start(from, to)) {
      assertThat(command.awaitExit(COMMAND_LIMIT)).as(command.output()).isEqualTo(1);
      assertThat(command.output()).contains("a NameNode has served it meanwhile");
    }
  }

  private static void refusedWhileServed(MigrateCommand migrate, String from, String to)
      throws Exception {
    try (AcaciaCommand command = migrate.start(from, to)) {
      assertThat(command.awaitExit(COMMAND_LIMIT)).as(command.output()).isEqualTo(1);
      assertThat(command.output()).containsPattern("already locked|A NameNode serves this store");
    }
  }
}
