package io.acaciafs.namespace.op.quota;

import static io.acaciafs.namespace.testkit.NamespaceFixture.ALICE;
import static io.acaciafs.namespace.testkit.NamespaceFixture.SUPERUSER;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.namespace.op.OperationTest;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class GetContentSummaryTest extends OperationTest {
  @Test
  void countsTheTopAndAllBelow() throws IOException {
    fs.fileWithBlock("/d/a/f", 100);
    fs.fileWithBlock("/d/g", 10);
    ContentSummary summary = fs.run(new GetContentSummary("/d"));
    assertThat(summary.getDirectoryCount()).isEqualTo(2);
    assertThat(summary.getFileCount()).isEqualTo(2);
    assertThat(summary.getLength()).isEqualTo(110);
    assertThat(summary.getSpaceConsumed()).isEqualTo(330);
    assertThat(summary.getQuota()).isEqualTo(-1);
    assertThat(fs.run(new GetContentSummary("/")).getQuota()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void countsAFileAlone() throws IOException {
    fs.fileWithBlock("/f", 100);
    ContentSummary summary = fs.run(new GetContentSummary("/f"));
    assertThat(summary.getDirectoryCount()).isZero();
    assertThat(summary.getFileCount()).isEqualTo(1);
  }

  @Test
  void aBlockBeingWrittenTakesTheSpaceOfAFullOne() throws IOException {
    long id = fs.open("/f");
    fs.addBlock("/f", id, null);
    ContentSummary summary = fs.run(new GetContentSummary("/f"));
    assertThat(summary.getLength()).isZero();
    assertThat(summary.getSpaceConsumed()).isEqualTo(3 * 1024);
  }

  @Test
  void needsToReadEveryDirectory() throws IOException {
    fs.mkdir(SUPERUSER, "/d/e", 0711);
    assertRefused(ALICE, new GetContentSummary("/d"))
        .isInstanceOf(AccessControlException.class)
        .hasMessage(
            "Permission denied: user=alice, access=READ_EXECUTE,"
                + " inode=\"/d\":hdfs:supergroup:drwx--x--x");
    assertRefused(new GetContentSummary("/x"))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessage("File does not exist: /x");
  }
}
