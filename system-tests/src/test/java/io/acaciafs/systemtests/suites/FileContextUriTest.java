package io.acaciafs.systemtests.suites;

import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileContextURIBase;
import org.junit.jupiter.api.BeforeEach;

/** Hadoop's suite {@code FileContextURIBase}. */
class FileContextUriTest extends FileContextURIBase {

  @Override
  @BeforeEach
  public void setUp() throws Exception {
    fc1 = FileContext.getFileContext(SharedCluster.uri(), SharedCluster.configuration());
    fc2 = fc1;
    super.setUp();
  }
}
