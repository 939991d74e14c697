package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.security.TestDelegationTokenForProxyUser;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Hadoop's tests of the same name, with time for a NameNode and a DataNode of other processes. */
class DelegationTokenForProxyUserTest extends TestDelegationTokenForProxyUser {
  static {
    UserGroupInformation.createUserForTesting("ProxyUser", new String[] {"group1", "group2"});
  }

  @Override
  @Test
  @Timeout(60)
  public void testWebHdfsDoAs() throws Exception {
    super.testWebHdfsDoAs();
  }
}
