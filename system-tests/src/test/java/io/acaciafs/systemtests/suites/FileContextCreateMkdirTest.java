package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextCreateMkdirBaseTest;
import org.apache.hadoop.fs.FileContextTestHelper;
import org.junit.jupiter.api.BeforeAll;

/** Hadoop's suite {@code FileContextCreateMkdirBaseTest}. */
class FileContextCreateMkdirTest extends FileContextCreateMkdirBaseTest {

  @BeforeAll
  static void connect() throws Exception {
    fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
  }

  @Override
  protected FileContextTestHelper createFileContextHelper() {
    return new FileContextTestHelper("/tmp/FileContextCreateMkdirTest");
  }
}
