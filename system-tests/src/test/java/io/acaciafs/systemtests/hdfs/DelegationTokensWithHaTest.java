package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.server.namenode.ha.TestDelegationTokensWithHA;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's tests of the same name, with three NameNodes by Raft, of which they know two. */
@Tag("long")
class DelegationTokensWithHaTest extends TestDelegationTokensWithHA {

  @Override
  @Test
  @Disabled("wants a NameNode that stands by to refuse tokens; here each of the three knows them")
  public void testObserverReadProxyProviderWithDT() {}
}
