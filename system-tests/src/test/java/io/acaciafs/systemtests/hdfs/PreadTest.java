package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestPread;

/** Hadoop's tests of the same name. */
class PreadTest extends TestPread {}
