package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.TestExtendedAcls;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hadoop's tests of the same name. */
class ExtendedAclsTest extends TestExtendedAcls {

  /** Made up before the cluster starts, which is told of them. */
  @RegisterExtension
  static final BeforeAllCallback GROUPS =
      context -> {
        UserGroupInformation.createUserForTesting("foo", new String[] {"fooGroup"});
        UserGroupInformation.createUserForTesting("barUser", new String[] {"bar"});
      };
}
