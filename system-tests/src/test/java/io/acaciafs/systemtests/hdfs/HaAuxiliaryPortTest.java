package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.TestHAAuxiliaryPort;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** Hadoop's test of the same name, with three NameNodes by Raft, of which it knows two. */
@Tag("long")
class HaAuxiliaryPortTest extends TestHAAuxiliaryPort {

  /** The test does not. */
  @AfterEach
  void shutDown() {
    MiniDFSCluster.shutdownLeft();
  }
}
