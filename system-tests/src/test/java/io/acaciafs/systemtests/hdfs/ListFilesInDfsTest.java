package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestListFilesInDFS;

/** Hadoop's tests of the same name. */
class ListFilesInDfsTest extends TestListFilesInDFS {}
