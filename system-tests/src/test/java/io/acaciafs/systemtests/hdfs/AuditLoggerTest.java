package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestAuditLogger;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hadoop's tests of the same name, of the lines that the NameNode's process writes. */
class AuditLoggerTest extends TestAuditLogger {
  private static final Logger AUDIT =
      Logger.getLogger("org.apache.hadoop.hdfs.server.namenode.FSNamesystem.audit");

  @RegisterExtension
  static final Only ONLY =
      new Only(
          "loads a logger of its own into the NameNode, which Acacia refuses, or looks for those"
              + " that are there",
          "testAuditLoggerWithCallContext",
          "testAuditLogWithRemotePort",
          "testCallerContextCharacterEscape");

  private Level before;

  @BeforeEach
  void switchOn() {
    before = AUDIT.getLevel();
    AUDIT.setLevel(Level.INFO);
    CallerContext.setCurrent(null); // a class before may have left one
  }

  @AfterEach
  void switchOff() {
    AUDIT.setLevel(before);
    CallerContext.setCurrent(null);
  }
}
