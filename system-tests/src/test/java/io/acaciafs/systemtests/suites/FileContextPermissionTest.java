package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;

/** Hadoop's suite {@code FileContextPermissionBase}. */
class FileContextPermissionTest extends FileContextPermissionBase {

  @Override
  protected FileContextTestHelper getFileContextHelper() {
    return new FileContextTestHelper("/tmp/FileContextPermissionTest");
  }

  @Override
  protected FileContext getFileContext() throws Exception {
    return FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
  }
}
