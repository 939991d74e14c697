package io.acaciafs.namespace.op.file;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.attribute.CheckAccess;
import io.acaciafs.namespace.op.attribute.CheckReadable;
import io.acaciafs.namespace.op.attribute.TouchAccessTime;
import io.acaciafs.namespace.op.directory.Delete;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class GetFileTest extends OperationTest {
  @Test
  void givesTheBlocks() throws IOException {
    fs.fileWithBlock("/f", 100);
    assertThat(fs.run(new GetFile("/f", FsAction.READ)).blocks()).hasSize(1);
  }

  @Test
  void refusesWhatIsNoFileOrNotAllowed() throws IOException {
    fs.mkdir("/d");
    fs.file(SUPERUSER, "/f", 0600);
    assertRefused(new GetFile("/x", FsAction.READ))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("File does not exist: /x");
    assertRefused(new GetFile("/d", FsAction.READ))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Path is not a file: /d");
    assertRefused(ALICE, new GetFile("/f", FsAction.READ))
        .isInstanceOf(AccessControlException.class);
    assertThat(fs.run(ALICE, new GetFile("/f", FsAction.NONE))).isNotNull();
  }

  @Test
  void tellsWhetherSomebodyWrites() throws IOException {
    fs.file(SUPERUSER, "/f", 0600);
    assertThat(fs.run(ALICE, new IsFileClosed("/f"))).isTrue();
    fs.mkdir("/d");
    assertRefused(new IsFileClosed("/d//"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Path is not a file: /d//");
  }

  @Test
  void checksWhetherAPathMayBeReadThatNeedNotBeThere() throws IOException {
    fs.file(SUPERUSER, "/f", 0600);
    fs.run(ALICE, new CheckReadable("/x/y", false));
    assertRefused(ALICE, new CheckReadable("/f", false)).isInstanceOf(AccessControlException.class);
    assertRefused(ALICE, new CheckReadable("/f/x", false))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("/f (is not a directory)");
  }

  @Test
  void checkAccessSaysTheSameWithoutTheFile() throws IOException {
    fs.file(SUPERUSER, "/f", 0604);
    fs.run(ALICE, new CheckAccess("/f", FsAction.READ));
    assertRefused(ALICE, new CheckAccess("/f", FsAction.READ_WRITE))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=READ_WRITE,"
                + " inode=\"/f\":hdfs:supergroup:-rw----r--");
    assertRefused(new CheckAccess("/x", FsAction.READ))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Path not found: /x");
  }

  @Test
  void readingMovesTheAccessTimeOnceAnHour() throws IOException {
    long id = fs.file("/f");
    long createdMs = fs.clock.millis();
    fs.clock.advanceMs(3_600_000);
    fs.run(new TouchAccessTime(id));
    assertThat(fs.info("/f").inode().attributes().accessTimeMs()).isEqualTo(createdMs);
    fs.clock.advanceMs(1);
    fs.run(new TouchAccessTime(id));
    assertThat(fs.info("/f").inode().attributes().accessTimeMs()).isEqualTo(fs.clock.millis());
    assertThat(fs.info("/f").modificationTimeMs()).isEqualTo(createdMs);
    fs.run(new Delete("/f", false));
    fs.run(new TouchAccessTime(id));
  }
}
