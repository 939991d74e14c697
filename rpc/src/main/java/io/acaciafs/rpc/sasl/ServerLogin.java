package io.acaciafs.rpc.sasl;

import java.io.IOException;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server's own Kerberos login, which it accepts clients with. Safe for use by many threads.
 *
 * <p>Source: {@code Server.doKerberosRelogin}.
 */
final class ServerLogin {
  private static final Logger LOG = LoggerFactory.getLogger(ServerLogin.class);

  private final UserGroupInformation user;

  /** Whether a login that failed is tried again at once; else no sooner than Hadoop allows. */
  private boolean mayForce = true;

  ServerLogin(UserGroupInformation user) {
    this.user = user;
  }

  UserGroupInformation user() {
    return user;
  }

  /** Whether the last login failed. */
  boolean isLost() {
    return !user.isLoginSuccess();
  }

  /** A client was authenticated. */
  synchronized void serves() {
    mayForce = true;
  }

  /** Logs in once more, unless another thread has. */
  synchronized void renew() throws IOException {
    if (!isLost()) {
      return;
    }
    LOG.warn("Logs in anew user={}", user);
    boolean force = mayForce;
    mayForce = false;
    if (user.isFromKeytab()) {
      if (force) {
        user.forceReloginFromKeytab();
      } else {
        user.reloginFromKeytab();
      }
    } else if (force) {
      user.forceReloginFromTicketCache();
    } else {
      user.reloginFromTicketCache();
    }
  }
}
