package io.acaciafs.namenode.monitor.history;

import java.util.HashMap;
import java.util.Map;

/** Which kind of operation a method of a protocol is. Stateless. */
final class CallKind {
  private static final Map<String, Series> KINDS = new HashMap<>();

  static {
    put(Series.LOOKUP, "getFileInfo", "getFileLinkInfo", "isFileClosed", "checkAccess");
    put(Series.LOOKUP, "getLinkTarget", "getAclStatus", "getXAttrs", "listXAttrs");
    put(Series.LIST, "getListing", "getBatchedListing");
    put(Series.OPEN, "getBlockLocations", "getLocatedFileInfo");
    put(Series.CREATE, "create", "append", "mkdirs", "createSymlink");
    put(Series.WRITE, "addBlock", "complete", "abandonBlock", "fsync", "getAdditionalDatanode");
    put(Series.WRITE, "updateBlockForPipeline", "updatePipeline");
    put(Series.RENAME, "rename", "rename2");
    put(Series.DELETE, "delete");
  }

  private CallKind() {}

  private static void put(Series kind, String... methods) {
    for (String method : methods) {
      KINDS.put(method, kind);
    }
  }

  /**
   * @param method with its protocol: "protocol.method"
   */
  static Series of(String method) {
    int dot = method.lastIndexOf('.');
    if (method.startsWith("Datanode", method.lastIndexOf('.', dot - 1) + 1)) {
      return Series.DATANODE;
    }
    return isOfClients(method)
        ? KINDS.getOrDefault(method.substring(dot + 1), Series.OTHER)
        : Series.OTHER;
  }

  static boolean isOfClients(String method) {
    return method.contains(".ClientProtocol.");
  }
}
