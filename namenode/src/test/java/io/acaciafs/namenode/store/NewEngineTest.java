package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.RunningNameNode;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An engine that is only on the class path, {@link MemoryProvider}, serves as any other. */
class NewEngineTest {
  private static final org.apache.hadoop.fs.Path DIRECTORY = new org.apache.hadoop.fs.Path("/a");

  @TempDir private Path folder;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeEach
  void configure() {
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("acacia.store.engine", "memory");
  }

  private FileSystem connect(NameNode nameNode) throws IOException {
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    return FileSystem.newInstance(uri, new HdfsConfiguration());
  }

  @Test
  void keepsAFileSystemOverARestart() throws Exception {
    NameNode.format(conf, "CID-new", false);
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      assertThat(fs.mkdirs(DIRECTORY)).isTrue();
      assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("Cannot lock storage");
      assertThat(nameNode.storeRequests()).isZero();
    }
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      assertThat(fs.exists(DIRECTORY)).isTrue();
    }
    StoreStatus status = StoreStatus.look(conf);
    assertThat(status.engine()).isEqualTo("memory");
    assertThat(status.place()).startsWith("memory of " + folder);
    assertThat(status.layout()).isEqualTo(RowKeyLayout.LOCALITY.label());
    assertThat(status.regions()).isEmpty();
    NameNode.format(conf, "CID-anew", true);
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      assertThat(fs.exists(DIRECTORY)).isFalse();
    }
  }

  @Test
  void saysWhatIsMissing() throws Exception {
    NameNode.format(conf, "CID-new", false);
    conf.set("acacia.store.engine", "rocksdb");
    assertThatThrownBy(() -> NameNode.start(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("kept by the engine memory, but acacia.store.engine says rocksdb")
        .hasMessageEndingWith("Set it to memory");
    conf.set("acacia.store.engine", "paper");
    assertThatThrownBy(() -> NameNode.start(conf))
        .isInstanceOf(IOException.class)
        .hasMessage("acacia.store.engine is paper; there are rocksdb, hbase, memory and raft");
    conf.set("acacia.store.engine", "memory");
    conf.set("acacia.memory.wish", "true");
    assertThatThrownBy(() -> NameNode.start(conf))
        .hasMessage("acacia.memory.wish cannot be fulfilled");
    conf.unset("acacia.memory.wish");
    Files.delete(folder.resolve("name/current/store/MEMORY"));
    assertThatThrownBy(() -> NameNode.start(conf))
        .hasMessage("The memory of " + folder.resolve("name") + " is lost");
  }

  @Test
  void saysWhatItCannotDo() throws Exception {
    assertThatThrownBy(() -> NameNode.bootstrap(conf))
        .hasMessage(
            "Only on HBase or Raft can several NameNodes serve one file system: acacia.store.engine"
                + " is not hbase or raft");
    NameNode.format(conf, "CID-new", false);
    Path backup = folder.resolve("backup");
    assertThatThrownBy(() -> Backup.make(conf, backup))
        .isInstanceOf(IOException.class)
        .hasMessage("The engine memory makes no copies of its store");
    assertThat(backup).doesNotExist();
    conf.set("acacia.store.engine", "rocksdb");
    conf.set("dfs.namenode.name.dir", folder.resolve("other").toString());
    NameNode.format(conf, "CID-other", false);
    Backup.make(conf, backup);
    conf.set("acacia.store.engine", "memory");
    conf.set("dfs.namenode.name.dir", folder.resolve("restored").toString());
    assertThatThrownBy(() -> Backup.restore(conf, backup))
        .hasMessage(
            "The backup is of the engine rocksdb, and acacia.store.engine names another one");
  }

  @Test
  void isMonitored() throws Exception {
    try (RunningNameNode nameNode =
        new RunningNameNode(
            folder.resolve("running").toFile(), Map.of("acacia.store.engine", "memory"))) {
      nameNode.fileSystem().mkdirs(DIRECTORY);
      assertThat(nameNode.send("GET", "/metrics").body())
          .containsPattern("acacia_store_commits_total [1-9]")
          .doesNotContain("acacia_store_syncs");
      assertThat(nameNode.send("GET", "/api/status").body())
          .contains("\"engine\":\"memory\"")
          .doesNotContain("roundTrips");
      assertThat(nameNode.send("GET", "/imagetransfer?getimage=1&txid=latest").statusCode())
          .isEqualTo(501);
      assertThatThrownBy(nameNode.fileSystem()::rollEdits)
          .hasMessageContaining("The store has no log to roll");
      assertThat(nameNode.send("GET", "/jmx").body())
          .contains("Acacia on memory")
          .doesNotContain("TransactionsBatchedInSync");
    }
  }
}
