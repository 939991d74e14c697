package io.acaciafs.systemtests.hdfs;

import java.lang.reflect.Field;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.hdfs.AuditLines;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.TestAuditLogs;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.apache.log4j.Appender;
import org.apache.log4j.AsyncAppender;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Hadoop's tests of the same name, of the lines that the NameNode's process writes. */
@Tag("long")
@ExtendWith(AuditLogsTest.Surroundings.class)
class AuditLogsTest extends TestAuditLogs {

  AuditLogsTest(boolean useAsyncEdits) {
    super(useAsyncEdits);
  }

  @Override
  @BeforeEach
  public void setupCluster() throws Exception {
    super.setupCluster();
    AuditLines.sinceStart(
        (LogCapturer) field("auditLogCapture").get(null),
        (MiniDFSCluster) field("cluster").get(this));
  }

  private static Field field(String name) throws ReflectiveOperationException {
    Field field = TestAuditLogs.class.getDeclaredField(name);
    field.setAccessible(true);
    return field;
  }

  /**
   * Makes up the user's group before the cluster starts, which is told of it; and gives the audit
   * log of this process, into which nothing is written, the appender that the tests look for.
   */
  static final class Surroundings implements BeforeAllCallback, AfterAllCallback {
    private static final Logger AUDIT =
        Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

    private List<Appender> before = List.of();

    @Override
    @SuppressWarnings("unchecked") // log4j has no type here
    public void beforeAll(ExtensionContext context) throws ReflectiveOperationException {
      UserGroupInformation.createUserForTesting(
          (String) field("username").get(null), (String[]) field("groups").get(null));
      before = Collections.list(AUDIT.getAllAppenders());
      before.forEach(AUDIT::removeAppender);
      AUDIT.addAppender(new AsyncAppender());
    }

    @Override
    public void afterAll(ExtensionContext context) {
      AUDIT.removeAllAppenders();
      before.forEach(AUDIT::addAppender);
    }
  }
}
