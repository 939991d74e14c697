package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.TestGlobPaths;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Hadoop's tests of the same name. */
class GlobPathsTest extends TestGlobPaths {
  static {
    FileSystem.enableSymlinks();
  }

  /** Tests that run in this process later are not to be the user that these log in. */
  @AfterAll
  static void logOut() {
    UserGroupInformation.setLoginUser(null);
  }

  @Override
  @Test
  @DisabledIfSystemProperty(
      named = "acacia.under-test",
      matches = "hadoop",
      disabledReason = "has no switch for symlinks but in the process of a test")
  public void testGlobFillsInSchemeOnFS() throws Exception {
    super.testGlobFillsInSchemeOnFS();
  }

  @Override
  @Test
  @DisabledIfSystemProperty(
      named = "acacia.under-test",
      matches = "hadoop",
      disabledReason = "has no switch for symlinks but in the process of a test")
  public void testGlobFillsInSchemeOnFC() throws Exception {
    super.testGlobFillsInSchemeOnFC();
  }
}
