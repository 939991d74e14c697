package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.TestSymlinkHdfsFileSystem;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Hadoop's tests of the same name. */
@DisabledIfSystemProperty(
    named = "acacia.under-test",
    matches = "hadoop",
    disabledReason = "has no switch for symlinks but in the process of a test")
class SymlinkFileSystemTest extends TestSymlinkHdfsFileSystem {

  @Override
  @Test
  @Disabled("there are no snapshots yet")
  public void testSnapshot() {}
}
