package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Key;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.backup.Backup;
import io.acaciafs.namenode.process.LocalFiles;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A folder is filled whole, or no NameNode starts on it. */
class NewStoreTest {
  private static final ClusterIdentity IDENTITY = new ClusterIdentity(7, "CID-x", "BP-x", 99);

  @TempDir private Path folder;

  private final Configuration conf = new HdfsConfiguration();

  @BeforeEach
  void configure() {
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
  }

  private void fill() throws Exception {
    try (FolderToFill taken = FolderToFill.take(conf);
        NewStore store = NewStore.create(taken, IDENTITY)) {
      RowKeyLayout layout = RowKeyLayout.of(store.store());
      assertThat(layout).isEqualTo(RowKeyLayout.LOCALITY);
      Namespace.format(store.runner(), NamespaceConfig.namespace(conf), layout, Clock.systemUTC())
          .get(30, TimeUnit.SECONDS);
      store.finish();
    }
  }

  @Test
  void isStartedFromWhenItIsFinished() throws Exception {
    fill();
    try (NameNode nameNode = NameNode.start(conf)) {
      assertThat(nameNode.rpcAddress().getPort()).isPositive();
    }
    assertThat(folder.resolve("current/VERSION")).content().contains("clusterID=CID-x");
    assertThat(folder.resolve("current/IMPORTING")).doesNotExist();
  }

  @Test
  void leavesNothingWhenItIsNotFinished() throws Exception {
    try (FolderToFill taken = FolderToFill.take(conf);
        NewStore store = NewStore.create(taken, IDENTITY)) {
      assertThat(store.folder()).isEqualTo(folder);
      assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("acacia import");
    }
    assertThat(folder.resolve("current")).doesNotExist();
  }

  @Test
  void noNameNodeStartsAfterACrashAndTheNextOneBeginsAnew() throws Exception {
    NameDirectory directory = NameDirectory.of(conf);
    directory.beginFilling(Filling.IMPORTING);
    directory.write(IDENTITY, "rocksdb");
    Files.createFile(folder.resolve("current/half"));

    assertThatThrownBy(() -> NameNode.start(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("holds an import that did not come to its end")
        .hasMessageContaining("Run 'acacia import' again");
    fill();
    assertThat(folder.resolve("current/half")).doesNotExist();
    NameNode.start(conf).close();
  }

  /** The first change of a folder is that it says which command changes it. */
  @Test
  void saysWhichCommandDidNotComeToItsEnd() throws Exception {
    for (Filling filling : Filling.values()) {
      NameNode.format(conf, "CID-other", true);
      Files.createFile(folder.resolve("current/" + filling));
      String command = filling == Filling.FORMATTING ? "format" : filling.name().substring(0, 6);
      assertThatThrownBy(() -> NameNode.start(conf))
          .hasMessageContaining("that did not come to its end")
          .hasMessageContaining("Run 'acacia " + command.toLowerCase(Locale.ROOT));
      assertThat(NameNode.isFormatted(conf)).isFalse();
    }
  }

  /** It removes nothing that anybody has. */
  @Test
  void aFormatThatDidNotComeToItsEndIsRepeatedWithoutForce() throws Exception {
    NameDirectory.of(conf).beginFilling(Filling.FORMATTING);
    Files.createFile(folder.resolve("current/half"));
    assertThat(NameNode.isEmpty(conf)).isTrue();
    NameNode.format(conf, "CID-x", false);
    assertThat(folder.resolve("current/half")).doesNotExist();
    NameNode.start(conf).close();
    NameDirectory.of(conf).beginFilling(Filling.RESTORING);
    assertThatThrownBy(() -> NameNode.format(conf, "CID-x", false))
        .hasMessageContaining("holds a restore that did not come to its end")
        .hasMessageContaining("acacia format -force");
  }

  @Test
  void aFormatThatWasCutOffGoesOnForTheSameCluster() throws Exception {
    Path mark = folder.resolve("current/FORMATTING");
    NameDirectory directory = NameDirectory.of(conf);
    ClusterIdentity begun = BegunFormat.begin(conf, directory, "CID-x", false).identity();
    assertThat(mark).isNotEmptyFile();
    assertThat(NameNode.isEmpty(conf)).isTrue();
    assertThatThrownBy(() -> NameNode.format(conf, "CID-other", false))
        .hasMessageContaining("holds a format of cluster CID-x that did not come to its end");

    NameNode.format(conf, null, false);

    assertThat(mark).doesNotExist();
    assertThat(directory.read(null)).isEqualTo(begun);
    NameNode.start(conf).close();
  }

  /** So the advice to put VERSION back can be followed. */
  @Test
  void backupHasTheLinesOfALostVersion() throws Exception {
    NameNode.format(conf, "CID-x", false);
    Path backup = folder.resolveSibling("backup-of-" + folder.getFileName());
    Backup.make(conf, backup);
    try {
      Files.delete(folder.resolve("current/VERSION"));
      assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("the file BACKUP");
      Files.copy(backup.resolve("BACKUP"), folder.resolve("current/VERSION"));
      NameNode.start(conf).close();
    } finally {
      LocalFiles.deleteFolder(backup);
    }
  }

  @Test
  void takesAFolderThatWasFormattedAndNeverUsed() throws Exception {
    NameNode.format(conf, "CID-other", false);
    fill();
    assertThat(folder.resolve("current/VERSION")).content().contains("clusterID=CID-x");
  }

  @Test
  void refusesAFolderThatHoldsSomething() throws Exception {
    NameNode.format(conf, "CID-other", false);
    try (OfflineStore used = OfflineStore.open(conf)) {
      used.runner()
          .submit(
              transaction -> {
                Key key = NamespaceKeys.entry(Locator.spread(1), 0, new byte[] {'a'});
                transaction.put(key, new byte[0]);
                return null;
              })
          .get(30, TimeUnit.SECONDS);
    }
    assertThatThrownBy(() -> FolderToFill.take(conf)).hasMessageContaining("is not empty");
    assertThat(folder.resolve("current/VERSION")).content().contains("clusterID=CID-other");
  }

  @Test
  void refusesAFolderOfHadoopsNameNode() throws Exception {
    Files.createDirectories(folder.resolve("current"));
    Files.writeString(folder.resolve("current/VERSION"), "namespaceID=1\nlayoutVersion=-66\n");
    assertThatThrownBy(() -> FolderToFill.take(conf)).hasMessageContaining("by Hadoop's NameNode");
  }

  @Test
  void isTakenByOneAtATimeFromBeforeItIsFilled() throws Exception {
    try (FolderToFill first = FolderToFill.take(conf)) {
      assertThat(first.temporaryFolder()).hasParentRaw(folder);
      assertThatThrownBy(() -> FolderToFill.take(conf)).hasMessageContaining("already locked");
    }
    FolderToFill.take(conf).close();
  }

  @Test
  void changesNothingWhenTheEngineHasNoFolderToLoadFrom() throws Exception {
    conf.set("acacia.store.engine", "hbase");
    conf.set("acacia.store.hbase.zookeeper", "127.0.0.1:1");
    assertThatThrownBy(() -> FolderToFill.take(conf))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("set acacia.store.hbase.load.folder");
    assertThat(folder).isEmptyDirectory();
  }
}
