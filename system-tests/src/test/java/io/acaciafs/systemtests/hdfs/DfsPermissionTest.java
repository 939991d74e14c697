package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestDFSPermission;
import org.junit.jupiter.api.Tag;

/** Hadoop's tests of the same name. */
@Tag("long")
class DfsPermissionTest extends TestDFSPermission {}
