package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestHDFSConcat;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name. */
@Tag("long")
@ExtendWith(NotYetOffered.class)
class HdfsConcatTest extends TestHDFSConcat {}
