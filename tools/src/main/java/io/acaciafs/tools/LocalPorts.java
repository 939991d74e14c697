package io.acaciafs.tools;

/**
 * The ports of a local file system; 0 takes any free one.
 *
 * @param rpc the NameNode's
 * @param web the NameNode's web server
 * @param transfer the DataNode's for data
 * @param ipc the DataNode's for calls
 * @param http the DataNode's web server
 */
record LocalPorts(int rpc, int web, int transfer, int ipc, int http) {

  /** Any free ones. */
  static LocalPorts any() {
    return new LocalPorts(0, 0, 0, 0, 0);
  }
}
