package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.server.blockmanagement.TestBlockTokenWithDFS;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Hadoop's tests of the same name. It sets the life of tokens in a NameNode's memory to a second;
 * here the site says a minute, for which each test waits.
 */
@Tag("long")
class BlockTokenWithDfsTest extends TestBlockTokenWithDFS {

  @Override
  protected Configuration getConf(int numDataNodes) {
    Configuration conf = super.getConf(numDataNodes);
    conf.setLong("dfs.block.access.token.lifetime", 1);
    return conf;
  }

  @Override
  @Test
  @Disabled("has the memory of a NameNode sign tokens")
  public void testRead() {}

  @Override
  @Test
  @Disabled("is a test of the balancer, for DataNodes of given capacities and racks")
  public void testEnd2End() {}
}
