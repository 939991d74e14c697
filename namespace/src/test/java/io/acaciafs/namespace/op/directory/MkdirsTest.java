package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetOwner;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.FSLimitException.MaxDirectoryItemsExceededException;
import org.apache.hadoop.hdfs.protocol.FSLimitException.PathComponentTooLongException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class MkdirsTest extends OperationTest {
  private static Mkdirs mkdirs(String path) {
    return new Mkdirs(path, new FsPermission((short) 0755), true);
  }

  @Test
  void createsWhatIsMissing() throws IOException {
    fs.clock.advanceMs(5);
    assertThat(fs.run(new Mkdirs("/a/b/c", new FsPermission((short) 01050), true))).isTrue();
    Inode.Attributes last = fs.info("/a/b/c").inode().attributes();
    assertThat(last.mode()).isEqualTo((short) 01050);
    assertThat(last.owner()).isEqualTo("hdfs");
    assertThat(last.group()).isEqualTo("supergroup");
    assertThat(last.accessTimeMs()).isZero();
    assertThat(fs.info("/a/b/c").modificationTimeMs()).isEqualTo(fs.clock.millis());
    // so that the user gets through, those on the way have u+wx
    assertThat(fs.info("/a/b").inode().attributes().mode()).isEqualTo((short) 0350);
    assertThat(fs.info("/").modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(fs.info("/").children()).isEqualTo(1);
  }

  @Test
  void takesTheGroupOfTheParent() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0777);
    fs.run(new SetOwner("/d", null, "dev"));
    fs.mkdir(ALICE, "/d/e", 0755);
    assertThat(fs.info("/d/e").inode().attributes().owner()).isEqualTo("alice");
    assertThat(fs.info("/d/e").inode().attributes().group()).isEqualTo("dev");
  }

  @Test
  void isTrueForWhatIsThereAlready() throws IOException {
    fs.mkdir("/a");
    long id = fs.info("/a").inode().id();
    assertThat(fs.run(ALICE, mkdirs("/a"))).isTrue();
    assertThat(fs.run(ALICE, mkdirs("/"))).isTrue();
    assertThat(fs.info("/a").inode().id()).isEqualTo(id);
  }

  @Test
  void refusesToGoOverOrThroughAFile() throws IOException {
    fs.file("/f");
    assertRefused(mkdirs("/f"))
        .isInstanceOf(FileAlreadyExistsException.class)
        .hasMessage("Path is not a directory: /f");
    assertRefused(mkdirs("/f/a"))
        .isInstanceOf(ParentNotDirectoryException.class)
        .hasMessage("/f (is not a directory)");
  }

  @Test
  void refusesAMissingParentWhenAsked() {
    assertRefused(new Mkdirs("/a/b/c", new FsPermission((short) 0755), false))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Parent directory doesn't exist: /a/b");
  }

  @Test
  void needsToWriteTheDeepestDirectoryThatExists() throws IOException {
    fs.mkdir("/d");
    assertRefused(ALICE, mkdirs("/d/a/b"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=WRITE,"
                + " inode=\"/d\":hdfs:supergroup:drwxr-xr-x");
  }

  @Test
  void refusesNamesThatCannotBe() {
    assertRefused(mkdirs("/a/../b"))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageContaining("Invalid file name: /a/../b");
    assertRefused(mkdirs("/a/.snapshot"))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessage("\".snapshot\" is a reserved name.");
    assertRefused(mkdirs("/.reserved"))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessageStartingWith("File name \".reserved\" is reserved and cannot be created.");
    assertRefused(mkdirs("/" + "x".repeat(256))).isInstanceOf(PathComponentTooLongException.class);
    assertRefused(mkdirs("/" + "x".repeat(8000)))
        .isInstanceOf(IOException.class)
        .hasMessage("mkdirs: Pathname too long.  Limit 8000 characters, 1000 levels.");
  }

  @Test
  void limitsTheEntriesOfADirectory() throws IOException {
    use(
        new NamespaceFixture(
            new MemoryStore(), NamespaceFixture.settings(4, 2), new ManualClock()));
    fs.mkdir("/a");
    fs.file("/b");
    assertRefused(mkdirs("/c")).isInstanceOf(MaxDirectoryItemsExceededException.class);
    // neither of these makes it larger
    fs.run(new Rename("/b", "/c"));
    fs.run(
        NamespaceFixture.create(
            "/c", 0644, NamespaceFixture.CLIENT, CreateFlag.CREATE, CreateFlag.OVERWRITE));
    assertThat(fs.list("/")).containsExactly("a", "c");
  }

  @Test
  void aDirectoryBelowRawIsForSuperusers() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0777);
    assertRefused(ALICE, mkdirs("/.reserved/raw/d/e"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Access denied for user alice. Superuser privilege is required for"
                + " operation theMethod");
    fs.run(mkdirs("/.reserved/raw/d/e"));
    assertThat(fs.exists("/d/e")).isTrue();
  }

  @Test
  void doesNotComeToLifeBelowADirectoryThatIsDeletedMeanwhile() throws IOException {
    fs.mkdir("/d");
    fs.run(new SetPermission("/d", new FsPermission((short) 0777)));
    assertRefusedInterleaved(ALICE, mkdirs("/d/e"), new Delete("/d", true));
    assertThat(fs.exists("/d")).isFalse();
    fs.sweep();
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void isRefusedWhenTheParentIsClosedMeanwhile() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0777);
    assertRefusedInterleaved(
        ALICE, mkdirs("/d/e"), new SetPermission("/d", new FsPermission((short) 0755)));
    assertThat(fs.list("/d")).isEmpty();
  }

  private void assertRefusedInterleaved(
      Caller caller, Mkdirs operation, NamespaceOperation<?> meanwhile) {
    assertThatThrownBy(() -> fs.runInterleaved(caller, operation, meanwhile))
        .isInstanceOf(AccessControlException.class);
  }

  @Test
  void goesWhereTheNameLeadsWhenAnAncestorIsRenamedMeanwhile() throws IOException {
    fs.mkdir("/d");
    fs.runInterleaved(SUPERUSER, mkdirs("/d/e"), new Rename("/d", "/moved"));
    assertThat(fs.list("/moved")).isEmpty();
    assertThat(fs.list("/d")).containsExactly("e");
  }
}
