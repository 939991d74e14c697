package io.acaciafs.namespace.permission;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What HDFS calls the operations in its refusals, and to classes of a site that decide on
 * permissions: like the methods of its protocols, but for these. Source: the operation names of
 * FSNamesystem and NameNodeRpcServer.
 */
final class OperationNames {
  private static final Map<String, String> OTHERWISE =
      Map.ofEntries(
          Map.entry("addBlock", "getAdditionalBlock"),
          Map.entry("complete", "completeFile"),
          Map.entry("getBatchedListing", "listStatus"),
          Map.entry("getBlockLocations", "open"),
          Map.entry("getContentSummary", "contentSummary"),
          Map.entry("getDatanodeReport", "datanodeReport"),
          Map.entry("getFileInfo", "getfileinfo"),
          Map.entry("getFileLinkInfo", "getfileinfo"),
          Map.entry("getLinkTarget", "getfileinfo"),
          Map.entry("getListing", "listStatus"),
          Map.entry("getLocatedFileInfo", "getfileinfo"),
          Map.entry("getQuotaUsage", "quotaUsage"),
          Map.entry("getReconfigurationStatus", "getNamenodeReconfigurationStatus"),
          Map.entry("getSnapshotDiffReport", "computeSnapshotDiff"),
          Map.entry("getSnapshotDiffReportListing", "computeSnapshotDiff"),
          Map.entry("getSnapshotListing", "ListSnapshot"),
          Map.entry("getSnapshottableDirListing", "listSnapshottableDirectory"),
          Map.entry("getTransactionId", "getTransactionID"),
          Map.entry("listReconfigurableProperties", "listNamenodeReconfigurableProperties"),
          Map.entry("rename2", "rename"),
          Map.entry("rollEdits", "rollEditLog"),
          Map.entry("startReconfiguration", "startNamenodeReconfiguration"));

  private OperationNames() {}

  static @Nullable String of(@Nullable String method) {
    return method == null ? null : OTHERWISE.getOrDefault(method, method);
  }
}
