package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.TestFcHdfsSetUMask;

/** Hadoop's tests of the same name. */
class FcHdfsSetUmaskTest extends TestFcHdfsSetUMask {}
