package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestFileStatus;

/** Hadoop's tests of the same name. */
class FileStatusTest extends TestFileStatus {}
