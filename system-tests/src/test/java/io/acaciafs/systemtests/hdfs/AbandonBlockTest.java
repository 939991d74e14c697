package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestAbandonBlock;

/** Hadoop's tests of the same name. */
class AbandonBlockTest extends TestAbandonBlock {}
