package io.acaciafs.namespace.op.attribute;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class SetPermissionTest extends OperationTest {
  private static SetPermission chmod(String path, int mode) {
    return new SetPermission(path, new FsPermission((short) mode));
  }

  @Test
  void setsAllBitsAndNoTime() throws IOException {
    fs.mkdir("/d");
    long time = fs.info("/d").modificationTimeMs();
    fs.clock.advanceMs(5);
    fs.run(chmod("/d", 01741));
    assertThat(fs.info("/d").inode().attributes().mode()).isEqualTo((short) 01741);
    assertThat(fs.info("/d").modificationTimeMs()).isEqualTo(time);
    fs.run(chmod("/", 0777));
    assertThat(fs.info("/").inode().attributes().mode()).isEqualTo((short) 0777);
  }

  @Test
  void isForTheOwner() throws IOException {
    fs.file("/f");
    assertRefused(ALICE, chmod("/f", 0777))
        .isInstanceOf(AccessControlException.class)
        .hasMessage("Permission denied. user=alice is not the owner of inode=/f");
    fs.run(new SetOwner("/f", "alice", null));
    fs.run(ALICE, chmod("/f", 0));
    fs.run(ALICE, chmod("/f", 0600));
    assertThat(fs.info("/f").inode().attributes().mode()).isEqualTo((short) 0600);
  }

  @Test
  void refusesWhatIsNotThere() {
    assertRefused(chmod("/x", 0777))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("Directory/File does not exist /x");
  }
}
