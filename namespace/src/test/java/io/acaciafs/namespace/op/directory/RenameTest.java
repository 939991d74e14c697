package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.BOB;
import static io.acaciafs.namespace.testkit.NamespaceFixture.CLIENT;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.namespace.model.Parallel;
import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.SetPermission;
import io.acaciafs.namespace.op.file.CompleteFile;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.HadoopIllegalArgumentException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class RenameTest extends OperationTest {
  @Test
  void movesADirectoryWithAllBelowIt() throws IOException {
    fs.mkdir("/a/b");
    long file = fs.file("/a/b/f");
    fs.mkdir("/x");
    fs.clock.advanceMs(9);
    assertThat(fs.run(new Rename("/a/b", "/x/y"))).isTrue();
    assertThat(fs.info("/x/y/f").inode().id()).isEqualTo(file);
    assertThat(fs.exists("/a/b")).isFalse();
    assertThat(fs.info("/a").modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(fs.info("/x").modificationTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(fs.info("/a").children()).isZero();
    assertThat(fs.info("/x").children()).isEqualTo(1);
    assertThat(fs.damage(true)).isEmpty();
  }

  @Test
  void goesIntoADirectoryThatExists() throws IOException {
    fs.mkdir("/d");
    fs.file("/f");
    assertThat(fs.run(new Rename("/f", "/d"))).isTrue();
    assertThat(fs.list("/d")).containsExactly("f");
    fs.file("/f");
    assertThat(fs.run(new Rename("/f", "/d"))).isFalse();
  }

  @Test
  void isTrueForTheSamePath() throws IOException {
    fs.file("/f");
    assertThat(fs.run(new Rename("/f", "/f"))).isTrue();
  }

  @Test
  void isFalseForWhatCannotBe() throws IOException {
    fs.mkdir("/d/e");
    fs.file("/f");
    fs.file("/g");
    assertThat(fs.run(new Rename("/missing", "/x"))).isFalse();
    assertThat(fs.run(new Rename("/", "/x"))).isFalse();
    assertThat(fs.run(new Rename("/f", "/g"))).isFalse();
    assertThat(fs.run(new Rename("/f", "/missing/x"))).isFalse();
    assertThat(fs.run(new Rename("/d", "/d/e/x"))).isFalse();
    assertThat(fs.run(new Rename("/d", "/d"))).isFalse();
    assertThat(fs.list("/")).containsExactly("d", "f", "g");
  }

  @Test
  void refusesAFileOnTheWayAndNamesThatCannotBe() throws IOException {
    fs.file("/f");
    fs.file("/g");
    assertRefused(new Rename("/f", "/g/x"))
        .isInstanceOf(ParentNotDirectoryException.class)
        .hasMessage("/g (is not a directory)");
    assertRefused(new Rename("/f", "/.reserved"))
        .isInstanceOf(InvalidPathException.class)
        .hasMessageContaining("Cannot rename to or from /.reserved");
    assertRefused(new Rename("/f", "/.snapshot"))
        .isInstanceOf(HadoopIllegalArgumentException.class)
        .hasMessage("\".snapshot\" is a reserved name.");
    assertRefused(new Rename("/f", "/a/../b")).isInstanceOf(InvalidPathException.class);
  }

  @Test
  void needsToWriteBothParents() throws IOException {
    fs.mkdir(SUPERUSER, "/open", 0777);
    fs.mkdir("/closed");
    fs.file(ALICE, "/open/f", 0644);
    fs.file("/closed/g");
    assertRefused(ALICE, new Rename("/open/f", "/closed/f"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE, inode=\"/closed\"");
    assertRefused(ALICE, new Rename("/closed/g", "/open/g"))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE, inode=\"/closed\"");
    assertThat(fs.run(ALICE, new Rename("/open/f", "/open/g"))).isTrue();
  }

  @Test
  void aStickyDirectoryLetsOnlyTheOwnersGo() throws IOException {
    fs.mkdir(SUPERUSER, "/tmp", 01777);
    fs.file(ALICE, "/tmp/f", 0666);
    assertRefused(BOB, new Rename("/tmp/f", "/tmp/g"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied by sticky bit: user=bob,"
                + " path=\"/tmp/f\":alice:supergroup:-rw-rw-rw-,"
                + " parent=\"/tmp\":hdfs:supergroup:drwxrwxrwt");
    assertThat(fs.run(ALICE, new Rename("/tmp/f", "/tmp/g"))).isTrue();
  }

  @Test
  void anOpenFileStaysOpenUnderItsNewName() throws IOException {
    long id = fs.open("/f");
    fs.run(new Rename("/f", "/g"));
    assertThat(fs.run(new CompleteFile("/f", id, CLIENT, null))).isTrue();
    assertThat(fs.fileAt("/g").isUnderConstruction()).isFalse();
  }

  @Test
  void twoThatWouldMakeALoopTogetherDoNotBothWin() throws IOException {
    for (int i = 0; i < 50; i++) {
      fs.mkdir("/r/a/x");
      fs.mkdir("/r/b/y");
      List<Boolean> won =
          Parallel.run(
              List.of(
                  () -> fs.run(new Rename("/r/a", "/r/b/y/a")),
                  () -> fs.run(new Rename("/r/b", "/r/a/x/b"))));
      assertThat(won).containsExactlyInAnyOrder(true, false);
      assertThat(fs.damage(true)).isEmpty();
      fs.run(new Delete("/r", true));
      fs.sweep();
    }
  }

  @Test
  void guardsWhatItRests() throws IOException {
    fs.mkdir("/r/a/x");
    fs.mkdir("/r/b/y");
    boolean won =
        fs.runInterleaved(
            SUPERUSER, new Rename("/r/a", "/r/b/y/a"), new Rename("/r/b", "/r/a/x/b"));
    assertThat(won).isFalse();
    assertThat(fs.exists("/r/a/x/b/y")).isTrue();
  }

  @Test
  void isRefusedWhenTheDestinationIsClosedMeanwhile() throws IOException {
    fs.mkdir(SUPERUSER, "/d", 0777);
    fs.mkdir(SUPERUSER, "/e", 0777);
    fs.file(ALICE, "/d/f", 0644);
    assertThatThrownBy(
            () ->
                fs.runInterleaved(
                    ALICE,
                    new Rename("/d/f", "/e/f"),
                    new SetPermission("/e", new FsPermission((short) 0755))))
        .isInstanceOf(AccessControlException.class);
    assertThat(fs.exists("/d/f")).isTrue();
  }
}
