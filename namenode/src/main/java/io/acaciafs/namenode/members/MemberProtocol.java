package io.acaciafs.namenode.members;

import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.security.KerberosInfo;

/**
 * What the NameNodes of one store say to each other, by Hadoop RPC under a name of its own. The
 * messages are those of Hadoop's GenericRefreshProtocol, which carry texts: identifier is what is
 * said (see {@link MemberMessage}), the arguments are the sender's number, its secret, the
 * receiver's number, and the rest.
 */
@KerberosInfo(
    serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
    clientPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = MemberProtocol.NAME, protocolVersion = MemberProtocol.VERSION)
public interface MemberProtocol extends GenericRefreshProtocolService.BlockingInterface {
  /** On the wire, where no package of this version may change it. */
  String NAME = "io.acaciafs.namenode.MemberProtocol";

  long VERSION = 1;
}
