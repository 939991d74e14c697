package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;

/** Hadoop's suite {@code FSMainOperationsBaseTest}. */
class FsMainOperationsTest extends FSMainOperationsBaseTest {

  FsMainOperationsTest() {
    super("/tmp/FsMainOperationsTest");
  }

  @Override
  protected FileSystem createFileSystem() throws Exception {
    return SharedCluster.newFileSystem(SharedCluster.configuration());
  }

  @Override
  @AfterEach
  public void tearDown() throws Exception {
    super.tearDown();
    fSys.close();
  }

  @Override
  protected Path getDefaultWorkingDirectory() {
    return fSys.getHomeDirectory();
  }
}
