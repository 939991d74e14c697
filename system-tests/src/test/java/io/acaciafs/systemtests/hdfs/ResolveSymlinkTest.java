package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.TestResolveHdfsSymlink;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Hadoop's tests of the same name. */
@DisabledIfSystemProperty(
    named = "acacia.under-test",
    matches = "hadoop",
    disabledReason = "has no switch for symlinks but in the process of a test")
class ResolveSymlinkTest extends TestResolveHdfsSymlink {
  static {
    FileSystem.enableSymlinks();
  }
}
