package io.acaciafs.namenode;

import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NameNodePrincipals;
import io.acaciafs.rpc.protocol.RpcCall;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Keeps what NameNodes say to each other for NameNodes, where callers prove who they are: by a
 * ticket for the principal of a NameNode of the settings, which are read anew for one that is not
 * known. Safe for use by many threads; may read files and look up names of hosts.
 */
final class CallingNameNodes {
  private final Configuration conf;

  /** Principals that have called before: it takes a while to find out. */
  private final Set<String> known = ConcurrentHashMap.newKeySet();

  CallingNameNodes(Configuration conf) {
    this.conf = conf;
  }

  /**
   * Does nothing without Kerberos, where nobody proves to be one.
   *
   * @param otherwise a sentence for the caller
   * @throws AccessControlException for a caller that is no NameNode
   */
  void require(RpcCall call, String otherwise) throws AccessControlException {
    if (KerberosLogin.isWanted(conf) && !isNameNode(call.user())) {
      throw new AccessControlException("Access denied for user " + call.user() + ". " + otherwise);
    }
  }

  /** NameNodes may have been added since the start. */
  private boolean isNameNode(UserGroupInformation user) {
    if (!NameNodePrincipals.hasTicket(user)) {
      return false;
    }
    String principal = user.getUserName();
    boolean isOne =
        known.contains(principal)
            || NameNodePrincipals.isNameNode(conf, Assembly::configuration, principal);
    if (isOne) {
      known.add(principal);
    }
    return isOne;
  }
}
