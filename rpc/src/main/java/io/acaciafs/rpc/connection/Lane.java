package io.acaciafs.rpc.connection;

/** Which network threads serve a connection. */
enum Lane {
  /** Those on which connections begin. */
  SHARED("rpc-io-"),
  /** Those for users whose calls cost much. */
  ISOLATED("rpc-io-isolated-"),
  /**
   * Those for servers of the cluster: thousands of DataNodes that register after a restart do not
   * hold up clients, and clients do not hold up heartbeats.
   */
  SERVICE("rpc-io-service-");

  private final String threadPrefix;

  Lane(String threadPrefix) {
    this.threadPrefix = threadPrefix;
  }

  String threadPrefix() {
    return threadPrefix;
  }
}
