package io.acaciafs.web;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.authorize.ProxyUsers;
import org.jspecify.annotations.Nullable;

/**
 * Which users may act for others, as an administrator had it reread last: Hadoop's {@link
 * ProxyUsers} has one set of rules for the whole process, by RPC and by HTTP. Hadoop's filter
 * replaces it whenever a web server starts, as when the role of a NameNode changes; {@link
 * UserFilter} asks here before. Safe for use by many threads.
 */
public final class ProxyUserRules {
  /** Null: nothing was reread, and the settings of the start hold. */
  private static @Nullable Configuration reread;

  private ProxyUserRules() {}

  /** Has these rules hold from now on, and also when another web server starts. */
  public static synchronized void take(Configuration read) {
    ProxyUsers.refreshSuperUserGroupsConfiguration(read);
    reread = read;
  }

  /** A NameNode that starts in this process takes the rules of its settings. */
  public static synchronized void forget() {
    reread = null;
  }

  static synchronized @Nullable Configuration reread() {
    return reread;
  }
}
