package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestFileAppend3;

/** Hadoop's tests of the same name. */
class FileAppend3Test extends TestFileAppend3 {}
