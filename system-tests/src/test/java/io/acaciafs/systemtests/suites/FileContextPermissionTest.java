package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextPermissionBase;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.junit.jupiter.api.Tag;

/** Hadoop's suite {@code FileContextPermissionBase}. */
@Tag("later")
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
