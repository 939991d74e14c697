package io.acaciafs.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.store.OfflineStore;
import io.acaciafs.namespace.Namespace;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What was loaded is a file system like any other, as clients see it. */
class StoreLoaderTest {
  private static final int FILES = 2000;

  @TempDir private java.nio.file.Path folder;

  private Configuration conf;

  @BeforeEach
  void format() throws Exception {
    conf = new HdfsConfiguration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("dfs.namenode.name.dir", folder.toUri().toString());
    NameNode.format(conf, "CID-load", false);
  }

  private void load() throws IOException {
    load(LevelTree.of(FILES));
  }

  private void load(TreeShape shape) throws IOException {
    try (OfflineStore offline = OfflineStore.open(conf)) {
      BulkLoader loader = offline.store().bulkLoader();
      new StoreLoader(
              offline.store(),
              offline.runner(),
              loader,
              shape,
              new LoadedReplicas(shape.files(), 3, 3),
              2)
          .run("owner", "group", Namespace.ROOT_ID, 1_000_000, done -> {});
    }
  }

  private static FileSystem connect(NameNode nameNode) throws IOException {
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    return FileSystem.newInstance(uri, new HdfsConfiguration());
  }

  @Test
  void clientsFindEverything() throws Exception {
    load();
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      ContentSummary summary = fs.getContentSummary(new Path("/"));
      assertThat(summary.getFileCount()).isEqualTo(FILES);
      assertThat(summary.getDirectoryCount()).isEqualTo(LevelTree.of(FILES).directories());

      Path directory = new Path("/");
      FileStatus[] entries = fs.listStatus(directory);
      int depth = 0;
      while (entries[0].isDirectory()) {
        assertThat(entries).isSorted();
        directory = entries[0].getPath();
        entries = fs.listStatus(directory);
        depth++;
      }
      assertThat(depth).isBetween(5, 7);
      FileStatus file = entries[entries.length - 1];
      assertThat(fs.getFileStatus(file.getPath())).isEqualTo(file);
      assertThat(file.getOwner()).isEqualTo("owner");
      for (FileStatus each : entries) {
        if (each.getLen() > 0) {
          BlockLocation[] blocks = fs.getFileBlockLocations(each, 0, each.getLen());
          assertThat(blocks).hasSize(1);
          assertThat(blocks[0].getNames()).hasSize(3);
        }
      }
    }
  }

  @Test
  void treesLieSideBySide() throws Exception {
    TreeShape shape = TreeShape.of(List.of(FILES + 0L, 300L, 700L), List.of(500, 7));
    load(shape);
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      assertThat(fs.getContentSummary(new Path("/")).getFileCount()).isEqualTo(FILES + 1000);
      List<Long> files = new ArrayList<>();
      for (FileStatus tree : fs.listStatus(new Path("/"))) {
        files.add(fs.getContentSummary(tree.getPath()).getFileCount());
      }
      assertThat(files).containsExactly(FILES + 0L, 300L, 700L);
      Path second = new Path(shape.pathOf(shape.child(0, 1)));
      assertThat(fs.getContentSummary(second).getDirectoryCount()).isEqualTo(1 + 7);
    }
  }

  @Test
  void fileSystemGoesOnFromThere() throws Exception {
    load();
    try (NameNode nameNode = NameNode.start(conf);
        FileSystem fs = connect(nameNode)) {
      fs.create(new Path("/new")).close();
      assertThat(fs.delete(new Path("/d00000001"), true)).isTrue();
      assertThat(fs.exists(new Path("/d00000001"))).isFalse();
      assertThat(fs.listStatus(new Path("/"))).hasSize(4);
      assertThat(fs.getContentSummary(new Path("/new")).getFileCount()).isEqualTo(1);
    }
  }

  @Test
  void fileSystemWithFilesIsRefused() throws Exception {
    load();
    assertThatThrownBy(this::load)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("not empty");
  }
}
