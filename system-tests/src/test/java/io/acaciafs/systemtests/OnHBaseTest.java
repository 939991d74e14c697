package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.store.BegunFormat;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProcess;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.Stacks;
import io.acaciafs.systemtests.harness.StoreReport;
import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.util.Arrays;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file system that lives in a stock HBase. */
class OnHBaseTest {
  @TempDir private static java.nio.file.Path folder;

  private static LocalHBase hbase;

  @BeforeAll
  static void start() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no engines");
    java.nio.file.Path classPath =
        java.nio.file.Path.of(System.getProperty("acacia.hbase.classpath"));
    hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 1));
  }

  @AfterAll
  static void stop() {
    if (hbase != null) {
      hbase.close();
    }
  }

  private static Cluster.Builder onHBase(String name) {
    return Cluster.builder(name)
        .set("acacia.store.engine", "hbase")
        .set("acacia.store.hbase.zookeeper", hbase.zooKeeper());
  }

  @Test
  void clientsWorkAsOnAnyOtherEngineAndFindTheirFilesAfterARestart() throws Exception {
    try (Cluster cluster =
        onHBase("hbase")
            .set("acacia.store.hbase.regions", "3")
            .set("acacia.directory.split.threshold", "20")
            .start()) {
      FileSystem fs = cluster.fileSystem();
      Content content = new Content(1, 3_000_000);
      use(fs, content);
      growAndSpread(fs);

      whoIsNotOfTheClusterIsRefused(cluster);

      cluster.restartNameNode();
      cluster.awaitDataNodes();
      assertThat(names(fs, "/moved")).containsExactly("a", "deep");
      assertThat(Content.read(fs, new Path("/moved/a"))).isEqualTo(content.bytes());
      assertThat(StoreReport.damage(cluster.clientConfiguration())).isEmpty();
      assertThat(Stacks.in(cluster.nameNode().log())).as("while HBase's client starts").isEmpty();
    }
  }

  /** What files that HBase takes over hold is a sound file system, and can be added to. */
  @Test
  void isFilledInBulkWhileNoNameNodeServes() throws Exception {
    try (Cluster cluster =
        onHBase("hbase-load")
            .set("acacia.store.hbase.table", "loaded")
            .set("acacia.store.hbase.load.folder", folder.resolve("load").toUri())
            .start()) {
      String[] load = {
        "bench", "load", "--files", "3000", "--datanodes", "2", "--replication", "2"
      };
      assertThat(cluster.nameNode().run(load).output()).contains("already locked");
      cluster.stopNameNode();
      NameNodeProcess.Exit loaded = cluster.nameNode().run(load);
      assertThat(loaded.code()).as(loaded.output()).isZero();
      cluster.startNameNode();
      FileSystem fs = cluster.fileSystem();
      assertThat(fs.getContentSummary(new Path("/")).getFileCount()).isEqualTo(3000);
      FileStatus inRoot = fs.listStatus(new Path("/"))[0];
      fs.create(new Path(inRoot.getPath(), "added")).close();
      assertThat(fs.getContentSummary(new Path("/")).getFileCount()).isEqualTo(3001);
      assertThat(StoreReport.damage(cluster.clientConfiguration())).isEmpty();
    }
  }

  /** Without a port; by force; with the folder of another cluster, or for another engine. */
  private void whoIsNotOfTheClusterIsRefused(Cluster cluster) throws Exception {
    Configuration second = new Configuration(cluster.clientConfiguration());
    second.set("acacia.store.engine", "hbase");
    second.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    second.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    second.set("dfs.namenode.http-address", "127.0.0.1:0");
    java.nio.file.Path copy = folder.resolve("copy");
    second.set("dfs.namenode.name.dir", copy.toString());
    Files.createDirectories(copy.resolve("current"));
    java.nio.file.Path version = copy.resolve("current/VERSION");
    Files.copy(cluster.nameFolder().resolve("current/VERSION"), version);
    assertThatThrownBy(() -> NameNode.start(second)).hasMessageContaining("needs a port");
    assertThatThrownBy(() -> NameNode.format(second, null, true))
        .hasMessageContaining("A NameNode serves this store");

    Files.writeString(
        version, Files.readString(version).replace("blockpoolID=BP", "blockpoolID=B"));
    assertThatThrownBy(() -> NameNode.start(second)).hasMessageContaining("belongs to cluster CID");
    aFormatThatWasCutOffKnowsItsTableAgain(new Configuration(second));
    second.set("acacia.store.engine", "rocksdb");
    assertThatThrownBy(() -> NameNode.start(second))
        .hasMessageContaining("is kept by the engine hbase");
  }

  private void aFormatThatWasCutOffKnowsItsTableAgain(Configuration conf) throws Exception {
    conf.set("acacia.store.hbase.table", "cut-off");
    Configuration other = new Configuration(conf);
    conf.set("dfs.namenode.name.dir", folder.resolve("cut-off").toString());
    other.set("dfs.namenode.name.dir", folder.resolve("other").toString());
    BegunFormat.begin(conf, NameDirectory.of(conf), null, false);

    assertThatThrownBy(() -> NameNode.format(other, null, false))
        .hasMessageContaining("HBase has a table cut-off already");
    NameNode.format(conf, null, false);

    assertThat(folder.resolve("cut-off/current/VERSION")).exists();
    assertThat(folder.resolve("cut-off/current/FORMATTING")).doesNotExist();
  }

  private static void use(FileSystem fs, Content content) throws Exception {
    assertThat(fs.mkdirs(new Path("/dir/deep/deeper"))).isTrue();
    content.write(fs, new Path("/dir/a"));
    content.write(fs, new Path("/dir/deep/b"));
    assertThat(Content.read(fs, new Path("/dir/a"))).isEqualTo(content.bytes());
    assertThatThrownBy(() -> fs.create(new Path("/dir/a"), false))
        .isInstanceOf(FileAlreadyExistsException.class);

    assertThat(fs.rename(new Path("/dir"), new Path("/moved"))).isTrue();
    assertThat(fs.rename(new Path("/moved/deep/b"), new Path("/moved/c"))).isTrue();
    assertThat(Content.read(fs, new Path("/moved/c"))).isEqualTo(content.bytes());
    assertThat(names(fs, "/moved")).containsExactly("a", "c", "deep");
    assertThatThrownBy(() -> fs.getFileStatus(new Path("/dir/a")))
        .isInstanceOf(FileNotFoundException.class);

    assertThat(fs.delete(new Path("/moved/c"), false)).isTrue();
    assertThat(fs.delete(new Path("/moved/deep/deeper"), false)).isTrue();
    assertThat(names(fs, "/moved")).containsExactly("a", "deep");
    assertThat(fs.getContentSummary(new Path("/moved")).getLength())
        .isEqualTo(content.lengthBytes());
  }

  /** One directory that gets more buckets meanwhile, and one that has them. */
  private static void growAndSpread(FileSystem fs) throws Exception {
    Path grown = new Path("/grown");
    Path spread = new Path("/spread");
    fs.mkdirs(grown);
    fs.mkdirs(spread);
    fs.setXAttr(spread, "user.acacia.buckets", new byte[] {'8'});
    String[] expected = new String[70];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = "f" + (100 + i);
      fs.create(new Path(grown, expected[i])).close();
      fs.create(new Path(spread, expected[i])).close();
      assertThat(fs.exists(new Path(grown, expected[i / 2]))).isTrue();
    }
    assertThat(names(fs, "/grown")).containsExactly(expected);
    assertThat(names(fs, "/spread")).containsExactly(expected);
    assertThat(fs.getContentSummary(grown).getFileCount()).isEqualTo(expected.length);
    assertThat(fs.delete(grown, true)).isTrue();
    assertThat(fs.delete(spread, true)).isTrue();
    assertThat(fs.exists(grown)).isFalse();
  }

  private static String[] names(FileSystem fs, String directory) throws Exception {
    return Arrays.stream(fs.listStatus(new Path(directory)))
        .map(FileStatus::getPath)
        .map(Path::getName)
        .toArray(String[]::new);
  }
}
