package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestBatchedListDirectories;

/** Hadoop's tests of the same name. */
class BatchedListDirectoriesTest extends TestBatchedListDirectories {}
