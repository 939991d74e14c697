package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * After a class with a KDC this process is again one without Kerberos, for the classes that follow
 * in it; Hadoop's build has a process for each.
 */
final class LoginsEnd implements AfterAllCallback {

  @Override
  public void afterAll(ExtensionContext context) {
    System.clearProperty("java.security.krb5.conf");
    System.clearProperty("sun.security.krb5.debug");
    UserGroupInformation.reset();
    UserGroupInformation.setConfiguration(new Configuration());
  }
}
