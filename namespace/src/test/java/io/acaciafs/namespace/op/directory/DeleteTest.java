package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static io.acaciafs.namespace.testkit.NamespaceFixture.create;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.file.CompleteFile;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.FakeBlocks;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class DeleteTest extends OperationTest {
  @Test
  void removesAFileWithItsBlocksAndItsLease() throws IOException {
    fs.fileWithBlock("/f", 10);
    long open = fs.open("/g");
    fs.addBlock("/g", open, null);
    fs.clock.advanceMs(3);
    assertThat(fs.run(new Delete("/f", false))).isTrue();
    assertThat(fs.run(new Delete("/g", false))).isTrue();
    assertThat(fs.list("/")).isEmpty();
    assertThat(fs.info("/").modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
    assertThat(fs.rows(NamespaceKeys.INODES)).isZero();
  }

  @Test
  void isFalseForNothingAndForTheRoot() throws IOException {
    assertThat(fs.run(new Delete("/x", true))).isFalse();
    assertThat(fs.run(new Delete("/", true))).isFalse();
    assertRefused(new Delete("/.reserved", true)).isInstanceOf(InvalidPathException.class);
  }

  @Test
  void aDirectoryThatIsNotEmptyNeedsRecursive() throws IOException {
    fs.mkdir("/d/e");
    assertRefused(new Delete("/d", false))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class)
        .hasMessageContaining("/d is non empty");
    assertThat(fs.run(new Delete("/d/e", false))).isTrue();
    assertThat(fs.run(new Delete("/d", false))).isTrue();
  }

  @Test
  void aLargeTreeLeavesNoRowBehind() throws IOException {
    for (int i = 0; i < 30; i++) {
      for (int j = 0; j < 10; j++) {
        fs.file("/d/" + i + "/" + j + "/f");
      }
    }
    fs.fileWithBlock("/d/g", 5);
    long open = fs.open("/d/0/open");
    fs.addBlock("/d/0/open", open, null);
    assertThat(fs.run(new Delete("/d", true))).isTrue();
    assertThat(fs.exists("/d")).isFalse();
    assertRefused(new CompleteFile("/d/0/open", open, CLIENT, null))
        .isInstanceOf(FileNotFoundException.class);
    fs.sweep();
    // the root and its counters
    assertThat(fs.rows(NamespaceKeys.ENTRIES)).isEqualTo(2);
    assertThat(fs.rows(NamespaceKeys.INODES)).isZero();
    assertThat(fs.rows(NamespaceKeys.OPEN_FILES)).isZero();
    assertThat(fs.rows(NamespaceKeys.JOBS)).isZero();
    assertThat(FakeBlocks.ids(fs.store())).isEmpty();
  }

  @Test
  void anotherOfTheSameNameIsNotSwept() throws IOException {
    fs.file("/d/f");
    fs.run(new Delete("/d", true));
    fs.file("/d/g");
    fs.sweep();
    assertThat(fs.list("/d")).containsExactly("g");
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void needsToWriteTheParent() throws IOException {
    fs.mkdir("/d");
    fs.file("/d/f");
    assertRefused(ALICE, new Delete("/d/f", false))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE, inode=\"/d\"");
  }

  @Test
  void needsEverythingOfWhatIsBelowUnlessItIsEmpty() throws IOException {
    fs.mkdir(SUPERUSER, "/open", 0777);
    fs.mkdir(ALICE, "/open/d", 0755);
    fs.mkdir(SUPERUSER, "/open/d/e", 0755);
    assertThat(fs.run(ALICE, new CheckAccess("/open/d", FsAction.ALL))).isNull();
    fs.file("/open/d/e/f");
    assertRefused(ALICE, new Delete("/open/d", true))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=ALL,"
                + " inode=\"/open/d/e\":hdfs:supergroup:drwxr-xr-x");
    fs.run(new Delete("/open/d/e/f", false));
    assertThat(fs.run(ALICE, new Delete("/open/d", true))).isTrue();
  }

  @Test
  void aStickyDirectoryKeepsWhatOthersOwn() throws IOException {
    fs.mkdir(SUPERUSER, "/tmp", 01777);
    fs.file(ALICE, "/tmp/f", 0666);
    assertRefused(BOB, new Delete("/tmp/f", false))
        .isInstanceOf(AccessControlException.class)
        .hasMessageStartingWith("Permission denied by sticky bit: user=bob, path=\"/tmp/f\"");
    assertThat(fs.run(ALICE, new Delete("/tmp/f", false))).isTrue();
  }

  @Test
  void doesNotTakeAnEntryThatComesMeanwhileAlong() throws IOException {
    fs.mkdir("/d");
    assertThatThrownBy(
            () ->
                fs.runInterleaved(
                    SUPERUSER,
                    new Delete("/d", false),
                    create("/d/f", 0644, CLIENT, CreateFlag.CREATE)))
        .isInstanceOf(PathIsNotEmptyDirectoryException.class);
    assertThat(fs.list("/d")).containsExactly("f");
  }

  @Test
  void createBelowADirectoryThatGoesMeanwhileMakesANewOne() throws IOException {
    fs.mkdir("/d");
    long old = fs.info("/d").inode().id();
    fs.runInterleaved(
        SUPERUSER, create("/d/f", 0644, CLIENT, CreateFlag.CREATE), new Delete("/d", false));
    assertThat(fs.info("/d").inode().id()).isNotEqualTo(old);
    assertThat(fs.list("/d")).containsExactly("f");
    fs.sweep();
    assertThat(fs.damage(true)).isEmpty();
  }
}
