package io.acaciafs.namenode.monitor.history;

import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.ipc.ProtocolInfo;
import org.apache.hadoop.ipc.proto.GenericRefreshProtocolProtos.GenericRefreshProtocolService;
import org.apache.hadoop.security.KerberosInfo;

/**
 * By which a NameNode asks another one for its history: Hadoop RPC under a name of its own. The
 * messages are those of Hadoop's GenericRefreshProtocol, which carry texts: identifier is the
 * window, "hour" or "day"; the text of the one answer is JSON, see {@link HistoryPage}.
 */
@KerberosInfo(
    serverPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY,
    clientPrincipal = DFSConfigKeys.DFS_NAMENODE_KERBEROS_PRINCIPAL_KEY)
@ProtocolInfo(protocolName = HistoryProtocol.NAME, protocolVersion = HistoryProtocol.VERSION)
public interface HistoryProtocol extends GenericRefreshProtocolService.BlockingInterface {
  /** On the wire, where no package of this version may change it. */
  String NAME = "io.acaciafs.namenode.HistoryProtocol";

  long VERSION = 1;
}
