package io.acaciafs.namenode.ha;

import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.security.KerberosInfo;

/**
 * How a standby hands a client's call to the NameNode that leads: by Hadoop RPC under a name of its
 * own. The messages are those of Hadoop's GenericRefreshProtocol, which carry texts; {@link
 * ForwardedCall} says what the arguments are. The first part of the answer has exit status 0 and
 * the reply, or another status, the class of the exception as the sender's name, and its text. The
 * text of the second part is the state of the leader that the first one rests on. The identifier
 * {@link #HAND_OVER} asks the leader to have the member lead that the only argument names; {@link
 * #STATE}, without arguments, asks for the second part alone.
 */
@KerberosInfo(
    serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
    clientPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = ForwardProtocol.NAME, protocolVersion = ForwardProtocol.VERSION)
public interface ForwardProtocol extends GenericRefreshProtocolService.BlockingInterface {
  /** On the wire, where no package of this version may change it. */
  String NAME = "io.acaciafs.namenode.ForwardProtocol";

  long VERSION = 1;

  /** No method of a client has a blank in its name. */
  String HAND_OVER = "hand over";

  /** Of the leader as it is after all that was acknowledged before. */
  String STATE = "tell the state";
}
