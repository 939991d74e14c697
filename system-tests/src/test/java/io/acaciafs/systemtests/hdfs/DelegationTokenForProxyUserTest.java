package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import org.apache.hadoop.hdfs.security.TestDelegationTokenForProxyUser;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Hadoop's tests of the same name, with time for a NameNode and a DataNode of other processes. */
@ExtendWith(DelegationTokenForProxyUserTest.Groups.class)
class DelegationTokenForProxyUserTest extends TestDelegationTokenForProxyUser {

  /** Makes the user's groups up before the cluster starts, which is told of them. */
  static final class Groups implements BeforeAllCallback {
    @Override
    public void beforeAll(ExtensionContext context) {
      UserGroupInformation.createUserForTesting("ProxyUser", new String[] {"group1", "group2"});
    }
  }

  @Override
  @Test
  @Timeout(60)
  public void testDelegationTokenWithRealUser() throws IOException {
    super.testDelegationTokenWithRealUser();
  }

  @Override
  @Test
  @Timeout(60)
  public void testWebHdfsDoAs() throws Exception {
    super.testWebHdfsDoAs();
  }
}
