package io.acaciafs.rpc.options;

import java.net.InetAddress;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.jspecify.annotations.Nullable;

/**
 * Decides which user may connect for which protocol. The server asks once per connection. Safe for
 * use by many threads.
 */
@FunctionalInterface
public interface ConnectionPolicy {
  /**
   * @param protocol the protocol that the client named, or null
   * @throws AuthorizationException the failure that the client gets
   */
  void authorize(UserGroupInformation user, @Nullable String protocol, InetAddress client)
      throws AuthorizationException;

  /**
   * Whether {@link #authorize} may wait, as for the user's groups, so that a worker has to ask it.
   */
  default boolean mayWait(@Nullable String protocol) {
    return true;
  }
}
