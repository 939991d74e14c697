package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.ha.TestFailoverWithBlockTokensEnabled;
import org.junit.jupiter.api.Tag;

/** Hadoop's tests of the same name, with three NameNodes by Raft. */
@Tag("long")
class FailoverWithBlockTokensTest extends TestFailoverWithBlockTokensEnabled {}
