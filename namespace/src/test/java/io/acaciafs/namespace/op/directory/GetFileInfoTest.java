package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CAROL;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class GetFileInfoTest extends OperationTest {
  @Test
  void showsTheRoot() throws IOException {
    InodeStatus root = fs.info("/");
    assertThat(root.inode().id()).isEqualTo(16385);
    assertThat(root.inode().attributes().owner()).isEqualTo("hdfs");
    assertThat(root.inode().attributes().group()).isEqualTo("supergroup");
    assertThat(root.inode().attributes().mode()).isEqualTo((short) 0755);
    assertThat(root.localName()).isEmpty();
  }

  @Test
  void showsNothingForWhatIsNotThere() throws IOException {
    assertThat(fs.info("/a")).isNull();
    assertThat(fs.info("/a/b/c")).isNull();
  }

  @Test
  void repeatedAndTrailingSeparatorsCountOnce() throws IOException {
    fs.file("/f");
    assertThat(fs.info("//f/").inode()).isEqualTo(fs.info("/f").inode());
  }

  @Test
  void aFileOnTheWayIsNothingForASuperuserAndARefusalForOthers() throws IOException {
    fs.file("/f");
    assertThat(fs.info("/f/x")).isNull();
    assertRefused(ALICE, new GetFileInfo("/f/x"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("/f (is not a directory)");
  }

  @Test
  void everyDirectoryOnTheWayMustBeTraversable() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0710);
    fs.run(new SetOwner("/d", "alice", "staff"));
    fs.file("/d/f");
    assertThat(fs.run(ALICE, new GetFileInfo("/d/f"))).isNotNull();
    assertThat(fs.run(BOB, new GetFileInfo("/d/f"))).isNotNull();
    assertRefused(CAROL, new GetFileInfo("/d/f"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=carol, access=EXECUTE, inode=\"/d\":alice:staff:drwx--x---");
  }

  @Test
  void theOwnersBitsCountForTheOwnerEvenWhenOthersHaveMore() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0077);
    fs.run(new SetOwner("/d", "alice", "staff"));
    assertRefused(ALICE, new GetFileInfo("/d/f")).isInstanceOf(AccessControlException.class);
    assertThat(fs.run(BOB, new GetFileInfo("/d/f"))).isNull();
  }

  @Test
  void followsAnInodeIdWhereverItIs() throws IOException {
    fs.mkdir("/d/e");
    long file = fs.file("/d/e/f");
    long directory = fs.info("/d").inode().id();
    fs.run(new Rename("/d", "/moved"));
    assertThat(fs.info("/.reserved/.inodes/" + file).inode().id()).isEqualTo(file);
    assertThat(fs.info("/.reserved/.inodes/" + directory + "/e/f").inode().id()).isEqualTo(file);
    assertThat(fs.info("/.reserved/.inodes/" + file + "/..").inode())
        .isEqualTo(fs.info("/moved/e").inode());
    assertThat(fs.info("/.reserved/.inodes/16385").inode().id()).isEqualTo(16385);
    assertThat(fs.info("/.reserved/.inodes/16385/..").inode().id()).isEqualTo(16385);
  }

  @Test
  void refusesAnInodeIdThatIsGone() throws IOException {
    fs.mkdir("/d");
    long file = fs.file("/d/f");
    fs.run(new Delete("/d", true));
    assertRefused(new GetFileInfo("/.reserved/.inodes/" + file))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("File for given inode path does not exist: /.reserved/.inodes/" + file);
    assertRefused(new GetFileInfo("/.reserved/.inodes/x"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Invalid inode path: /.reserved/.inodes/x");
  }

  @Test
  void rawPathsAreTheSameFiles() throws IOException {
    long file = fs.file("/f");
    assertThat(fs.info("/.reserved/raw/f").inode().id()).isEqualTo(file);
    assertThat(fs.info("/.reserved/raw").inode().id()).isEqualTo(16385);
  }

  @Test
  void showsTheReservedDirectory() throws IOException {
    InodeStatus reserved = fs.info("/.reserved");
    assertThat(reserved.inode().isDirectory()).isTrue();
    assertThat(reserved.inode().attributes().mode()).isEqualTo((short) 01770);
  }

  @Test
  void seesARenameThatCommitsMeanwhile() throws IOException {
    fs.mkdir("/d");
    fs.file("/d/f");
    InodeStatus status =
        fs.runInterleaved(SUPERUSER, new GetFileInfo("/d/f"), new Rename("/d", "/e"));
    assertThat(status).isNull();
  }
}
