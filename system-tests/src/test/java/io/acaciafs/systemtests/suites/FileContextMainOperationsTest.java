package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextMainOperationsBaseTest;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's suite {@code FileContextMainOperationsBaseTest}. */
class FileContextMainOperationsTest extends FileContextMainOperationsBaseTest {

  @BeforeAll
  static void connect() throws Exception {
    fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
    fc.mkdir(fc.getWorkingDirectory(), FileContext.DEFAULT_PERM, true);
  }

  @Override
  protected FileContextTestHelper createFileContextHelper() {
    return new FileContextTestHelper("/tmp/FileContextMainOperationsTest");
  }

  @Override
  protected Path getDefaultWorkingDirectory() {
    return fc.getWorkingDirectory();
  }

  @Override
  protected boolean listCorruptedBlocksSupported() {
    return true;
  }
}
