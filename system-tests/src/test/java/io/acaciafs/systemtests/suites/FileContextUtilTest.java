package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextUtilBase;
import org.junit.jupiter.api.BeforeEach;

/** Hadoop's suite {@code FileContextUtilBase}. */
class FileContextUtilTest extends FileContextUtilBase {

  @Override
  @BeforeEach
  public void setUp() throws Exception {
    fc = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
    super.setUp();
  }
}
