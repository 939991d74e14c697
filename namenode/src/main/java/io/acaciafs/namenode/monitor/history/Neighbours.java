package io.acaciafs.namenode.monitor.history;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import org.apache.hadoop.security.UserGroupInformation;

/** The other NameNodes of the cluster. Safe for use by many threads. */
public interface Neighbours {
  /** Where they take calls, by name for people; may read files. */
  Map<String, InetSocketAddress> addresses();

  /**
   * Whom they are asked as.
   *
   * @throws IOException where this process cannot tell
   */
  UserGroupInformation user() throws IOException;

  /** There are none. */
  static Neighbours none() {
    return new Neighbours() {
      @Override
      public Map<String, InetSocketAddress> addresses() {
        return Map.of();
      }

      @Override
      public UserGroupInformation user() throws IOException {
        return UserGroupInformation.getLoginUser();
      }
    };
  }
}
