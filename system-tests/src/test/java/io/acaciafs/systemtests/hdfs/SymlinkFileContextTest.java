package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.TestSymlinkHdfsFileContext;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Hadoop's tests of the same name. */
@DisabledIfSystemProperty(
    named = "acacia.under-test",
    matches = "hadoop",
    disabledReason = "has no switch for symlinks but in the process of a test")
class SymlinkFileContextTest extends TestSymlinkHdfsFileContext {}
