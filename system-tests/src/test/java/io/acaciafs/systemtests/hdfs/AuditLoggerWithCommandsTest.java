package io.acaciafs.systemtests.hdfs;

import java.lang.reflect.Field;
import org.apache.hadoop.hdfs.AuditLines;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.namenode.TestAuditLoggerWithCommands;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.test.GenericTestUtils.LogCapturer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hadoop's tests of the same name, of the lines that the NameNode's process writes. */
@Tag("long")
class AuditLoggerWithCommandsTest extends TestAuditLoggerWithCommands {

  @RegisterExtension
  static final Only ONLY =
      new Only(
          "calls methods of a NameNode's objects, or wants snapshots, cache pools or encryption",
          "testGetContentSummary",
          "testConcat",
          "testGetQuotaUsage",
          "testGetEZForPath",
          "testRenameTo",
          "testGetXattrs",
          "testListXattrs",
          "testDelegationTokens",
          "testMetaSave");

  /** Before the cluster starts, which is told of them. */
  @BeforeAll
  static void makeUpGroups() {
    UserGroupInformation.createUserForTesting("theDoctor", new String[] {"tardis"});
    UserGroupInformation.createUserForTesting("theEngineer", new String[] {"hadoop"});
  }

  @Override
  @BeforeEach
  public void initialize() throws Exception {
    super.initialize();
    AuditLines.into((LogCapturer) of("auditlog"), (MiniDFSCluster) of("cluster"));
  }

  private static Object of(String name) throws ReflectiveOperationException {
    Field field = TestAuditLoggerWithCommands.class.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }
}
