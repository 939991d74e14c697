package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHDFSAcl;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name. */
class WebHdfsAclTest extends TestWebHDFSAcl {

  @Override
  @Test
  @Disabled("looks into the memory of a NameNode")
  public void testDeDuplication() {}

  @Override
  @Test
  @Disabled("looks into the memory of a NameNode, and leaves its umask to the others before")
  public void testUMaskDefaultAclNewFile() {}

  @Override
  @Test
  @Disabled("looks into the memory of a NameNode, and leaves its umask to the others before")
  public void testUMaskDefaultAclNewDir() {}
}
