package io.acaciafs.namespace.op.directory;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import java.io.IOException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class GetLocatedFileInfoTest extends OperationTest {
  @Test
  void onlyWhoMayReadAFileGetsWhatItIsReadWith() throws IOException {
    fs.file(SUPERUSER, "/f", 0600);
    assertRefused(ALICE, new GetLocatedFileInfo("/f", true))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=READ, inode=\"/f\":hdfs:supergroup:-rw-------");
    assertThat(fs.run(ALICE, new GetLocatedFileInfo("/f", false))).isNotNull();
    assertThat(fs.run(SUPERUSER, new GetLocatedFileInfo("/f", true))).isNotNull();
  }

  @Test
  void whatHasNoBlocksIsShownToAll() throws IOException {
    fs.mkdir("/d");
    assertThat(fs.run(ALICE, new GetLocatedFileInfo("/d", true))).isNotNull();
    assertThat(fs.run(ALICE, new GetLocatedFileInfo("/x", true))).isNull();
  }
}
