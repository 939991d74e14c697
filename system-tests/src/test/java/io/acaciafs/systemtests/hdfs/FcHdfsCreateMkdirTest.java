package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.TestFcHdfsCreateMkdir;

/** Hadoop's tests of the same name. */
class FcHdfsCreateMkdirTest extends TestFcHdfsCreateMkdir {}
