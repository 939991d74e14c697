package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.TestGlobPaths;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Hadoop's tests of the same name. */
class GlobPathsTest extends TestGlobPaths {
  static {
    FileSystem.enableSymlinks();
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
