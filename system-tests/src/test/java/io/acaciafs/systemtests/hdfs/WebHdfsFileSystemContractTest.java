package io.acaciafs.systemtests.hdfs;

import java.io.IOException;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.web.TestWebHdfsFileSystemContract;

/** Hadoop's tests of the same name. */
class WebHdfsFileSystemContractTest extends TestWebHdfsFileSystemContract {
  private static final short DATA_NODES = 2;

  /**
   * Waits until both DataNodes have reported the file's block: one of them is enough for the file
   * to be closed, and a test asks twice for its locations and expects the same.
   */
  @Override
  protected void createFile(Path path) throws IOException {
    super.createFile(path);
    try {
      DFSTestUtil.waitReplication(fs, path, DATA_NODES);
    } catch (InterruptedException | TimeoutException e) {
      throw new IOException("the DataNodes did not report " + path, e);
    }
  }
}
