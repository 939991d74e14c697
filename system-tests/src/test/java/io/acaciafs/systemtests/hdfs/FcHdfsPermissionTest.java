package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.TestFcHdfsPermission;

/** Hadoop's tests of the same name. */
class FcHdfsPermissionTest extends TestFcHdfsPermission {}
