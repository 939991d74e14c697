package io.acaciafs.systemtests.sidebyside;

import org.apache.hadoop.ha.protocolPB.HAServiceProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.DatanodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.NamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ReconfigurationProtocolPB;
import org.apache.hadoop.ipc.protocolPB.GenericRefreshProtocolPB;
import org.apache.hadoop.ipc.protocolPB.RefreshCallQueueProtocolPB;
import org.apache.hadoop.security.protocolPB.RefreshAuthorizationPolicyProtocolPB;
import org.apache.hadoop.security.protocolPB.RefreshUserMappingsProtocolPB;
import org.apache.hadoop.tools.protocolPB.GetUserMappingsProtocolPB;

/** The protocols on a NameNode's RPC port. */
enum Protocol {
  CALL_QUEUE(RefreshCallQueueProtocolPB.class),
  CLIENT(ClientNamenodeProtocolPB.class),
  DATANODE(DatanodeProtocolPB.class),
  GENERIC_REFRESH(GenericRefreshProtocolPB.class),
  GROUPS(GetUserMappingsProtocolPB.class),
  HA(HAServiceProtocolPB.class),
  NAMENODE(NamenodeProtocolPB.class),
  POLICY(RefreshAuthorizationPolicyProtocolPB.class),
  RECONFIGURATION(ReconfigurationProtocolPB.class),
  USER_MAPPINGS(RefreshUserMappingsProtocolPB.class);

  private final Class<?> stub;

  Protocol(Class<?> stub) {
    this.stub = stub;
  }

  /** The interface that Hadoop's RPC makes proxies of. */
  Class<?> stub() {
    return stub;
  }
}
