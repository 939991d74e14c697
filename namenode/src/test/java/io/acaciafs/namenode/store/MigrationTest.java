package io.acaciafs.namenode.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before anything is changed; the rest needs an HBase. */
class MigrationTest {
  @TempDir private Path folder;

  private final Configuration conf = new HdfsConfiguration();
  private Path source;
  private Path target;

  @BeforeEach
  void configure() throws IOException {
    source = folder.resolve("source");
    target = folder.resolve("target");
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", source.toString());
    NameNode.format(conf, "CID-x", false);
    conf.set("dfs.namenode.name.dir", target.toString());
    conf.set("acacia.store.hbase.zookeeper", "127.0.0.1:1");
    conf.set("acacia.store.hbase.load.folder", folder.resolve("load").toUri().toString());
  }

  private void refused(String from, String to, String sentence) {
    assertThatThrownBy(() -> Migration.run(conf, from, to, 1, 10, (step, rows) -> done -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(sentence);
  }

  @Test
  void oneOfThePlacesIsFolder() {
    refused(source.toString(), target.toString(), "between the folder of a NameNode and hbase");
    refused("hbase", "hbase", "name one of each");
  }

  @Test
  void needsFolderThatWasFormatted() {
    refused(folder.resolve("none").toString(), "hbase", "is not formatted");
  }

  /** Not the one that the settings of all NameNodes name for this one. */
  @Test
  void theFolderOfTheCommandCounts() {
    Path none = folder.resolve("none");
    conf.set("dfs.nameservices", "service");
    conf.set("dfs.namenode.name.dir.service", target.toString());
    refused(none.toString(), "hbase", "The folder " + none + " is not formatted");
  }

  @Test
  void needsFolderOfNoOtherEngine() throws Exception {
    Path version = source.resolve("current/VERSION");
    Files.writeString(
        version, Files.readString(version).replace("acaciaEngine=rocksdb", "acaciaEngine=raft"));
    refused(source.toString(), "hbase", "restore a backup of its NameNodes");
  }

  @Test
  void needsEmptyFolderForTheNameNodeOnHBase() throws Exception {
    Files.createDirectories(target.resolve("current"));
    Files.createFile(target.resolve("current/something"));
    refused(source.toString(), "hbase", "is not empty. Name another one in dfs.namenode.name.dir");
    assertThat(target.resolve("current")).isDirectoryContaining("glob:**something");
  }

  @Test
  void needsFolderThroughWhichRowsComeToHBase() {
    conf.unset("acacia.store.hbase.load.folder");
    refused(source.toString(), "hbase", "set acacia.store.hbase.load.folder");
    assertThat(target.resolve("current")).doesNotExist();
  }

  @Test
  void isRefusedWhereAnotherMigrationWasCutOff() throws Exception {
    NameDirectory directory = new NameDirectory(target);
    directory.beginFilling(Filling.MIGRATING);
    MigrationMarks.begin(directory.migrationMarks(), "/elsewhere");
    refused(source.toString(), "hbase", "holds a migration from /elsewhere");
    assertThatThrownBy(() -> NameNode.start(conf)).hasMessageContaining("acacia migrate");
    assertThatThrownBy(() -> FolderToFill.take(conf)).hasMessageContaining("is not empty");
  }
}
