package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.TestSecureNameNode;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Hadoop's tests of the same name. */
@ExtendWith(LoginsEnd.class)
class SecureNameNodeTest extends TestSecureNameNode {

  @Override
  @Test
  @Disabled("asks a bean of its own process")
  public void testNameNodeStatusMXBeanSecurityEnabled() {}
}
