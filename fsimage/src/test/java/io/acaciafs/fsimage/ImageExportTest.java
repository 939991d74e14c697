package io.acaciafs.fsimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.record.RollingUpgrade;
import io.acaciafs.fsimage.format.ImageFile;
import io.acaciafs.fsimage.format.ImageProgress;
import io.acaciafs.fsimage.format.ImageSource;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.FsImageProto.NameSystemSection;
import org.apache.hadoop.hdfs.util.MD5FileUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What Hadoop's own reader of images finds in ours. */
class ImageExportTest {
  private static final ClusterIdentity IDENTITY = new ClusterIdentity(7, "CID-x", "BP-x", 99);
  private static final Inode.Attributes ATTRIBUTES =
      new Inode.Attributes("alice", "staff", (short) 01755, 1000, 2000);

  @TempDir private Path folder;
  private Store store;

  @BeforeEach
  void open() {
    store = new MemoryStore();
    put(0, "", new DirectoryInode(16385, Locator.spread(16385), ATTRIBUTES));
  }

  @AfterEach
  void close() {
    store.close();
  }

  private void put(long directoryId, String name, Inode inode) {
    Transaction tx = store.begin();
    byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
    byte[] row = InodeCodec.in(tx, new Dictionary()).encode(inode);
    tx.put(NamespaceKeys.entry(Locator.spread(directoryId), 0, bytes), row);
    tx.add(
        NamespaceKeys.counters(Locator.spread(directoryId), 0), DirectoryCounters.delta(1, 3000));
    tx.commit().join();
  }

  private String export() throws Exception {
    new ImageExport(store, IDENTITY).run(folder.resolve("name"), ImageProgress.NONE);
    Path image = folder.resolve("name/current/fsimage_0000000000000000001");
    MD5FileUtils.verifySavedMD5(image.toFile(), MD5FileUtils.computeMd5ForFile(image.toFile()));
    return ImageText.of(image);
  }

  @Test
  void writesFilesAndDirectories() throws Exception {
    put(16385, "d", new DirectoryInode(16386, Locator.spread(16386), ATTRIBUTES));
    List<FileBlock> blocks = List.of(new FileBlock(1073741825, 1005, 77));
    put(16386, "f", new FileInode(16387, ATTRIBUTES, (short) 3, 1L << 27, blocks, null));

    assertThat(export())
        .contains("<numInodes>3</numInodes>")
        .contains("<type>DIRECTORY</type><name>d</name><mtime>3000</mtime>")
        .contains("<name>f</name><replication>3</replication><mtime>1000</mtime>")
        .contains("<atime>2000</atime><preferredBlockSize>134217728</preferredBlockSize>")
        .contains("<permission>alice:staff:1755</permission>")
        .contains("<id>1073741825</id><genstamp>1005</genstamp><numBytes>77</numBytes>")
        .contains("<directory><parent>16386</parent><child>16387</child></directory>")
        .contains("<txid>1</txid>");
    assertThat(folder.resolve("name/current/VERSION"))
        .content()
        .contains("namespaceID=7", "clusterID=CID-x", "blockpoolID=BP-x", "cTime=99");
    assertThat(folder.resolve("name/current/seen_txid")).hasContent("1");
  }

  @Test
  void namesTheHolderOfTheLease() throws Exception {
    put(16385, "d", new DirectoryInode(16386, Locator.spread(16386), ATTRIBUTES));
    FileInode.Writer writer = new FileInode.Writer("client", "machine");
    put(16386, "f", new FileInode(16387, ATTRIBUTES, (short) 1, 1L << 27, List.of(), writer));
    Transaction tx = store.begin();
    for (long[] each : new long[][] {{16386, 16385}, {16387, 16386}}) {
      byte[] name = each[0] == 16386 ? new byte[] {'d'} : new byte[] {'f'};
      tx.put(
          NamespaceKeys.inode(each[0]), new InodeLocation(Locator.spread(each[1]), name).encode());
    }
    tx.commit().join();

    assertThat(export())
        .contains("<clientName>client</clientName><clientMachine>machine</clientMachine>")
        .contains("<inode><id>16387</id><path>/d/f</path></inode>");
  }

  @Test
  void saysThatARollingUpgradeIsUnderWay() throws Exception {
    assertThat(nameSystem().hasRollingUpgradeStartTime()).isFalse();
    RollingUpgrade upgrade = new RollingUpgrade(1_795_000_000_000L, 0, "host:/backup");
    new ImageExport(store, IDENTITY).requireNoRollingUpgrade();
    put(upgrade);
    assertThatThrownBy(() -> new ImageExport(store, IDENTITY).requireNoRollingUpgrade())
        .isExactlyInstanceOf(IOException.class)
        .hasMessageStartingWith("A rolling upgrade is under way since 2026-11-18T11:06:40Z.");
    assertThat(nameSystem().getRollingUpgradeStartTime()).isEqualTo(1_795_000_000_000L);
    put(upgrade.finalizedAt(1_795_000_000_001L));
    new ImageExport(store, IDENTITY).requireNoRollingUpgrade();
    assertThat(nameSystem().hasRollingUpgradeStartTime()).isFalse();
  }

  private void put(RollingUpgrade upgrade) {
    Transaction tx = store.begin();
    upgrade.write(tx);
    tx.commit().join();
  }

  /** Hadoop's own printer shows only some of it. */
  private NameSystemSection nameSystem() throws IOException {
    Path name = again();
    new ImageExport(store, IDENTITY).run(name, ImageProgress.NONE);
    Path image = name.resolve("current/fsimage_0000000000000000001");
    return ImageSource.read(ImageFile.open(image)).nameSystem();
  }

  @Test
  void leavesOutWhatWasDeletedAndWaitsToBeSwept() throws Exception {
    put(16386, "gone", new DirectoryInode(16387, Locator.spread(16387), ATTRIBUTES));
    put(16387, "gone-too", new DirectoryInode(16388, Locator.spread(16388), ATTRIBUTES));
    Transaction tx = store.begin();
    tx.put(NamespaceKeys.job(1), new SweepJob(16386, Locator.spread(16386)).encode());
    tx.commit().join();

    assertThat(export()).contains("<numInodes>1</numInodes>").doesNotContain("gone");
  }

  @Test
  void refusesWhatHadoopsNameNodeWouldNotRead() throws Exception {
    long most = (1L << 48) - 1;
    put(16385, "good", new FileInode(16386, ATTRIBUTES, (short) 2047, most, List.of(), null));
    export();
    put(16385, "bad", new FileInode(16387, ATTRIBUTES, (short) 2, 1L << 48, List.of(), null));
    assertThatThrownBy(() -> new ImageExport(store, IDENTITY).run(again(), ImageProgress.NONE))
        .hasMessageContaining("\"bad\" (inode 16387) has a block size of 281474976710656 bytes");
    put(16385, "bad", new FileInode(16387, ATTRIBUTES, (short) 2048, 1, List.of(), null));
    assertThatThrownBy(() -> new ImageExport(store, IDENTITY).run(again(), ImageProgress.NONE))
        .hasMessageContaining("2048 replicas, of at most 2047");
  }

  private Path again() throws IOException {
    return Files.createTempDirectory(folder, "again").resolve("name");
  }

  @Test
  void refusesAFolderThatHoldsSomething() throws Exception {
    Path name = Files.createDirectories(folder.resolve("name"));
    Files.createFile(name.resolve("mine"));

    assertThatThrownBy(() -> new ImageExport(store, IDENTITY).run(name, ImageProgress.NONE))
        .hasMessageContaining("is not empty");
    assertThat(name).isDirectoryContaining(file -> file.endsWith("mine"));
  }
}
