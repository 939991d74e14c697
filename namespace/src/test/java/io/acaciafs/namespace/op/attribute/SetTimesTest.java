package io.acaciafs.namespace.op.attribute;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import io.acaciafs.namespace.op.directory.Delete;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class SetTimesTest extends OperationTest {
  @Test
  void setsBothTimesOfAFile() throws IOException {
    fs.file("/f");
    fs.run(new SetTimes("/f", 10, 20));
    assertThat(fs.info("/f").modificationTimeMs()).isEqualTo(10);
    assertThat(fs.info("/f").inode().attributes().accessTimeMs()).isEqualTo(20);
    fs.run(new SetTimes("/f", -1, 0));
    fs.run(new SetTimes("/f", 0, -2));
    assertThat(fs.info("/f").modificationTimeMs()).isZero();
    assertThat(fs.info("/f").inode().attributes().accessTimeMs()).isZero();
  }

  @Test
  void setsADirectoryBackAndEntriesMoveItOnAgain() throws IOException {
    fs.file("/d/f");
    fs.run(new SetTimes("/d", 10, -1));
    assertThat(fs.info("/d").modificationTimeMs()).isEqualTo(10);
    assertThat(fs.info("/d").children()).isEqualTo(1);
    fs.clock.advanceMs(3);
    fs.file("/d/g");
    assertThat(fs.info("/d").modificationTimeMs()).isEqualTo(fs.clock.millis());
    long futureMs = fs.clock.millis() + 1000;
    fs.run(new SetTimes("/d", futureMs, 5));
    fs.run(new Delete("/d/g", false));
    assertThat(fs.info("/d").modificationTimeMs()).isEqualTo(futureMs);
    assertThat(fs.info("/d").inode().attributes().accessTimeMs()).isEqualTo(5);
  }

  @Test
  void needsToWriteIt() throws IOException {
    fs.file("/f");
    assertRefused(ALICE, new SetTimes("/f", 1, 1))
        .isInstanceOf(AccessControlException.class)
        .hasMessageContaining("access=WRITE, inode=\"/f\"");
    assertRefused(new SetTimes("/x", 1, 1))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("File/Directory /x does not exist.");
  }
}
