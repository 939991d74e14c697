package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.web.TestWebHDFSForHA;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name, with three NameNodes by Raft, of which they know two. */
@Tag("long")
class WebHdfsForHaTest extends TestWebHDFSForHA {

  @Override
  @Test
  @Disabled("wants a NameNode that stands by to refuse tokens; here each of the three knows them")
  public void testClientFailoverWhenStandbyNNHasStaleCredentials() {}
}
