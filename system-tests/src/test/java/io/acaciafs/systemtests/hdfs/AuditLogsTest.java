package io.acaciafs.systemtests.hdfs;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.AuditLines;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.FSNamesystem;
import org.apache.hadoop.hdfs.server.namenode.TestAuditLogs;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
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
@ExtendWith(AuditLogsTest.Appender.class)
class AuditLogsTest extends TestAuditLogs {

  /** What the test wants of the logger in its own process, in which nothing is logged. */
  static final class Appender implements BeforeAllCallback, AfterAllCallback {
    private final Logger logger = Logger.getLogger(FSNamesystem.AUDIT_LOG.getName());
    private final AsyncAppender wanted = new AsyncAppender();

    @Override
    public void beforeAll(ExtensionContext context) {
      logger.removeAllAppenders();
      logger.addAppender(wanted);
    }

    @Override
    public void afterAll(ExtensionContext context) {
      logger.removeAppender(wanted);
      wanted.close();
    }
  }

  AuditLogsTest(boolean useAsyncEdits) {
    super(useAsyncEdits);
  }

  @BeforeEach
  void readTheNameNodesLog() throws ReflectiveOperationException {
    Field capturer = TestAuditLogs.class.getDeclaredField("auditLogCapture");
    capturer.setAccessible(true);
    Field cluster = TestAuditLogs.class.getDeclaredField("cluster");
    cluster.setAccessible(true);
    AuditLines.into((LogCapturer) capturer.get(null), (MiniDFSCluster) cluster.get(this));
  }
}
