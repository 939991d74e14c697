package io.acaciafs.tools.common;

/**
 * The ports of a local file system; 0 takes any free one.
 *
 * @param rpc the NameNode's
 * @param web the NameNode's web server
 * @param transfer the DataNode's for data
 * @param ipc the DataNode's for calls
 * @param http the DataNode's web server
 */
public record LocalPorts(int rpc, int web, int transfer, int ipc, int http) {
  private static final int HIGHEST = 65_535;

  /**
   * @throws IllegalArgumentException with a sentence when one is no port
   */
  public LocalPorts {
    for (int port : new int[] {rpc, web, transfer, ipc, http}) {
      if (port < 0 || port > HIGHEST) {
        throw new IllegalArgumentException(
            port + " is no port: ports go from 1 to " + HIGHEST + ", and 0 takes any free one.");
      }
    }
  }

  /** Any free ones. */
  public static LocalPorts any() {
    return new LocalPorts(0, 0, 0, 0, 0);
  }
}
