package io.acaciafs.rpc;

import java.net.InetAddress;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;

/**
 * Who may connect for which protocol. Asked once a connection, on a worker, where it may wait. Safe
 * for use by many threads.
 */
public interface ConnectionPolicy {
  /**
   * @param protocol as the client names it; null where it names none
   * @throws AuthorizationException what the client shall see
   */
  void authorize(UserGroupInformation user, String protocol, InetAddress client)
      throws AuthorizationException;
}
