package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestDFSMkdirs;

/** Hadoop's tests of the same name. */
class DfsMkdirsTest extends TestDFSMkdirs {}
