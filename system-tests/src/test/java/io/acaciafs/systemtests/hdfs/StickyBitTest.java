package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.fs.permission.TestStickyBit;

/** Hadoop's tests of the same name. */
class StickyBitTest extends TestStickyBit {}
