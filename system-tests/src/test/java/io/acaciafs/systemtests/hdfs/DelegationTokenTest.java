package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.security.TestDelegationToken;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name. */
class DelegationTokenTest extends TestDelegationToken {

  @Override
  @Test
  @Disabled("looks into the memory of a NameNode")
  public void testDTManagerInSafeMode() {}
}
