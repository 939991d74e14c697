package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestNameNodeAcl;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name. */
class NameNodeAclTest extends TestNameNodeAcl {

  @Override
  @Test
  @Disabled("makes a symlink, for which HDFS has no switch but in the process of a test")
  public void testDefaultAclNewSymlinkIntermediate() {}

  @Override
  @Test
  @Disabled("looks into the memory of a NameNode")
  public void testDeDuplication() {}
}
