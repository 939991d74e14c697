package io.acaciafs.namespace.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.attribute.SetXAttr;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.directory.Rename;
import io.acaciafs.namespace.testkit.CountedReads;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.XAttr;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.XAttrHelper;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PathCacheTest {
  private final CountedReads reads = new CountedReads();
  private final NamespaceFixture fs =
      new NamespaceFixture(
          reads.of(new MemoryStore()), NamespaceFixture.settings(4, 0), new ManualClock());

  @BeforeEach
  void makeTree() throws IOException {
    fs.file("/a/b/c/file");
    fs.info("/a/b/c/file");
    reads.taken();
  }

  @AfterEach
  void close() {
    fs.close();
  }

  @Test
  void aKnownDirectoryCostsNoRead() throws IOException {
    assertThat(fs.info("/a/b/c/file")).isNotNull();
    assertThat(reads.taken()).isEqualTo(1);
    assertThat(fs.info("/a/b/c/other")).isNull();
    assertThat(reads.taken()).isEqualTo(1);
  }

  @Test
  void anEntryOfADirectoryOfManyBucketsCostsNoMore() throws IOException {
    fs.mkdir("/many");
    XAttr sixteen = XAttrHelper.buildXAttr("user.acacia.buckets", new byte[] {'1', '6'});
    fs.run(new SetXAttr("/many", sixteen, EnumSet.of(XAttrSetFlag.CREATE)));
    fs.file("/many/file");
    reads.taken();
    assertThat(fs.info("/many/file")).isNotNull();
    assertThat(reads.taken()).isEqualTo(1);
    fs.run(new Delete("/a/b/c/file", false));
    int ofOneBucket = reads.taken();
    fs.run(new Delete("/many/file", false));
    assertThat(reads.taken()).isEqualTo(ofOneBucket);
  }

  @Test
  void whatComesAndGoesInADirectoryLeavesItKnown() throws IOException {
    fs.file("/a/b/c/other");
    fs.mkdir("/a/b/d");
    fs.run(new Delete("/a/b/d", false));
    reads.taken();
    fs.info("/a/b/c/file");
    assertThat(reads.taken()).isEqualTo(1);
  }

  @Test
  void oneChangedDirectoryIsReadAgain() throws IOException {
    chmod("/a/b", 0711);
    reads.taken();
    fs.info("/a/b/c/file");
    assertThat(reads.taken()).isEqualTo(2);
    fs.info("/a/b/c/file");
    assertThat(reads.taken()).isEqualTo(1);
  }

  @Test
  void changesShowAtOnce() throws IOException {
    chmod("/a/b", 0700);
    assertThatThrownBy(() -> fs.run(NamespaceFixture.CAROL, new GetFileInfo("/a/b/c/file")))
        .isInstanceOf(AccessControlException.class);

    fs.run(new Rename("/a/b", "/a/moved"));
    assertThat(fs.exists("/a/b/c/file")).isFalse();
    assertThat(fs.exists("/a/moved/c/file")).isTrue();

    fs.mkdir("/a/b/c");
    assertThat(fs.exists("/a/b/c/file")).isFalse();

    fs.run(new Delete("/a/moved", true));
    fs.file("/a/moved");
    assertThat(fs.exists("/a/moved/c")).isFalse();
    assertThat(fs.exists("/a/moved")).isTrue();
  }

  @Test
  void aRenameBetweenLookAndCommitIsAConflict() throws IOException {
    GetFileInfo look = new GetFileInfo("/a/b/c/file");
    assertThat(
            fs.runInterleaved(
                NamespaceFixture.SUPERUSER, look::run, new Rename("/a/b", "/a/elsewhere")))
        .isNull();
  }

  @Test
  void oddPathsLeadToTheSamePlaces() throws IOException {
    assertThat(fs.info("/a//b/c/file").inode()).isEqualTo(fs.info("/a/b/c/file").inode());
    assertThat(fs.info("/a/b/c/").inode()).isEqualTo(fs.info("/a/b/c").inode());
    assertThat(fs.exists("/a/b/c/file/below")).isFalse();
    assertThat(fs.exists("/" + "x/".repeat(5_000))).isFalse();
    assertThat(fs.info("/").inode().id()).isEqualTo(Root.ID);
  }

  private void chmod(String path, int mode) throws IOException {
    fs.run(new SetPermission(path, new FsPermission((short) mode)));
  }
}
