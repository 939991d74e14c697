package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.quota.GetQuotaUsage;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.tree.InodeStatus;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class CreateSymlinkTest extends OperationTest {
  private static CreateSymlink link(String target, String link) {
    return new CreateSymlink(target, link, new FsPermission((short) 0711), true);
  }

  private InodeStatus linkInfo(String path) throws IOException {
    return fs.run(new GetFileInfo(path, PathUse.READ_LINK));
  }

  @Test
  void makesALinkThatEverybodyMayFollow() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0777);
    fs.run(ALICE, link("../nowhere", "/d/link"));
    fs.crash();

    InodeStatus status = linkInfo("/d/link");
    assertThat(((SymlinkInode) status.inode()).target()).isEqualTo("../nowhere");
    Inode.Attributes attributes = status.inode().attributes();
    assertThat(attributes.owner()).isEqualTo("alice");
    assertThat(attributes.group()).isEqualTo("supergroup");
    assertThat(attributes.permission().toShort()).isEqualTo((short) 0777);
    assertThat(status.modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(attributes.accessTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(fs.list("/d")).containsExactly("link");
  }

  @Test
  void makesMissingDirectoriesOnlyWhereAsked() throws IOException {
    assertRefused(new CreateSymlink("/t", "/a/b/link", FsPermission.getDefault(), false))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Parent directory doesn't exist: /a/b");

    fs.run(link("/t", "/a/b/link"));
    assertThat(fs.info("/a/b").inode().attributes().mode()).isEqualTo((short) 0711);
  }

  @Test
  void needsANameThatIsFree() throws IOException {
    fs.file("/file");
    fs.run(link("/file", "/link"));
    for (String taken : new String[] {"/file", "/link", "/"}) {
      assertRefused(link("/t", taken))
          .isExactlyInstanceOf(IOException.class)
          .hasMessageStartingWith("failed to create link " + taken + " either because");
    }
    assertRefused(link("/t", "/file/below")).isInstanceOf(AccessControlException.class);
    assertRefused(link("/t", "/link/below")).isInstanceOf(UnresolvedPathException.class);
  }

  @Test
  void refusesNamesThatCannotBe() {
    assertRefused(link("/t", "/a:b/link"))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageContaining("Invalid link name: /a:b/link");
    for (String target : new String[] {"", "/.reserved", "/.reserved/raw/x"}) {
      assertRefused(link(target, "/link"))
          .isInstanceOf(InvalidPathException.class)
          .hasMessageContaining("Invalid target name: " + target);
    }
    assertRefused(link("/t", "/.reserved")).isInstanceOf(HadoopIllegalArgumentException.class);
    assertRefused(link("/t", "/" + "x".repeat(256)))
        .isInstanceOf(PathComponentTooLongException.class);
    assertRefused(link("/t", "/x".repeat(1001)))
        .isExactlyInstanceOf(IOException.class)
        .hasMessage("Symlink path exceeds 8000 character limit");
  }

  @Test
  void needsTheRightToWrite() throws IOException {
    fs.mkdir("/d");
    assertRefused(ALICE, link("/t", "/d/link"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE");
  }

  @Test
  void countsAsAName() throws IOException {
    fs.mkdir("/d/in");
    fs.run(link("/t", "/d/in/first"));
    fs.run(new SetQuota("/d", 5, HdfsConstants.QUOTA_DONT_SET, null));
    assertThat(names("/d")).isEqualTo(3);
    fs.run(link("/t", "/d/second"));
    fs.run(link("/t", "/d/third"));
    assertRefused(link("/t", "/d/fourth")).isInstanceOf(NSQuotaExceededException.class);

    fs.run(new Rename("/d/second", "/second"));
    fs.run(new Delete("/d/third", false));
    assertThat(names("/d")).isEqualTo(3);
    fs.run(new Rename("/second", "/d/second"));
    assertThat(names("/d")).isEqualTo(4);
    fs.run(new Delete("/d/in", true));
    fs.sweep();
    assertThat(names("/d")).isEqualTo(2);
    assertThat(fs.damage(true)).isEmpty();
  }

  private long names(String path) throws IOException {
    return fs.run(new GetQuotaUsage(path)).getFileAndDirectoryCount();
  }
}
