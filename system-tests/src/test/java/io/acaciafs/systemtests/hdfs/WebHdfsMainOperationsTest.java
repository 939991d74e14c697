package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestFSMainOperationsWebHdfs;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name. */
class WebHdfsMainOperationsTest extends TestFSMainOperationsWebHdfs {

  @Override
  @Test
  @Disabled("imitates a class of the JDK's own, which the JDK does not allow")
  public void testJsonParseClosesInputStream() {}
}
