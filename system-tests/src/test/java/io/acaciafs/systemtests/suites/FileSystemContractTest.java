package io.acaciafs.systemtests.suites;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystemContractBaseTest;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Hadoop's suite {@code FileSystemContractBaseTest}. */
class FileSystemContractTest extends FileSystemContractBaseTest {

  @BeforeEach
  void connect() throws Exception {
    Configuration conf = SharedCluster.configuration();
    conf.set(FsPermission.UMASK_LABEL, TEST_UMASK);
    fs = SharedCluster.newFileSystem(conf);
  }

  @Override
  @AfterEach
  public void tearDown() throws Exception {
    super.tearDown();
    fs.close();
  }

  @Override
  protected String getDefaultWorkingDirectory() {
    try {
      return "/user/" + UserGroupInformation.getCurrentUser().getShortUserName();
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
