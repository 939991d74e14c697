package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FSMainOperationsBaseTest;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Hadoop's suite {@code FSMainOperationsBaseTest}, as a user whom permissions bind. */
class FsMainOperationsTest extends FSMainOperationsBaseTest {

  FsMainOperationsTest() {
    super("/tmp/FsMainOperationsTest");
  }

  @Override
  protected FileSystem createFileSystem() {
    return SharedCluster.userFileSystem();
  }

  @Override
  protected Path getDefaultWorkingDirectory() {
    return fSys.getHomeDirectory();
  }

  /** As the superuser: other users may not even look below a file, in HDFS as here. */
  @Override
  @Test
  public void testMkdirsFailsForSubdirectoryOfExistingFile() throws Exception {
    fSys = SharedCluster.newFileSystem(SharedCluster.configuration());
    super.testMkdirsFailsForSubdirectoryOfExistingFile();
  }
}
