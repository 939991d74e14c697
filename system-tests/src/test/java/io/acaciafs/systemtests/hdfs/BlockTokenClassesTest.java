package io.acaciafs.systemtests.hdfs;

import org.apache.hadoop.hdfs.security.token.block.TestBlockToken;

/** Hadoop's TestBlockToken, of which some tests have a cluster; not those about RPC of its own. */
class BlockTokenClassesTest extends TestBlockToken {

  /** Needs a Kerberos realm, and no NameNode. */
  @Override
  public void testBlockTokenRpcLegacy() {}

  /** Needs a Kerberos realm, and no NameNode. */
  @Override
  public void testBlockTokenRpcProtobuf() {}

  /** Needs a Kerberos realm, and no NameNode. */
  @Override
  public void testBlockTokenRpcLeakLegacy() {}

  /** Needs a Kerberos realm, and no NameNode. */
  @Override
  public void testBlockTokenRpcLeakProtobuf() {}
}
