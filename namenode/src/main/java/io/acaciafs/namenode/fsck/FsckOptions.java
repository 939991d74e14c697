package io.acaciafs.namenode.fsck;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is asked of fsck, as the parameters of its request say.
 *
 * @param path absolute
 * @param blockIds to report alone, in place of the path; null where it is not so
 * @param skipCorrupt how many corrupt files have been listed by requests before
 */
record FsckOptions(
    String path,
    boolean moves,
    boolean deletes,
    boolean replicates,
    boolean showsFiles,
    boolean showsOpenFiles,
    boolean showsBlocks,
    boolean showsLocations,
    boolean showsRacks,
    boolean showsReplicas,
    boolean showsUpgradeDomains,
    boolean showsMaintenance,
    boolean showsStoragePolicies,
    boolean asksForProgress,
    boolean listsCorrupt,
    String skipCorrupt,
    List<String> blockIds) {

  /**
   * Source of the names: HDFS 3.5's DFSck. A flag is set by being there.
   *
   * @param queryString as it was sent: in the request's parameters HTML is quoted; or null
   */
  static FsckOptions of(String queryString) {
    Map<String, String> query = decoded(queryString);
    String blockIds = query.get("blockId");
    String path = query.get("path");
    return new FsckOptions(
        path == null ? "/" : path,
        query.containsKey("move"),
        query.containsKey("delete"),
        query.containsKey("replicate"),
        query.containsKey("files"),
        query.containsKey("openforwrite"),
        query.containsKey("blocks"),
        query.containsKey("locations"),
        query.containsKey("racks"),
        query.containsKey("replicadetails"),
        query.containsKey("upgradedomains"),
        query.containsKey("maintenance"),
        query.containsKey("storagepolicies"),
        query.containsKey("showprogress"),
        query.containsKey("listcorruptfileblocks"),
        query.get("startblockafter"),
        blockIds == null ? null : Arrays.asList(blockIds.split(" ")));
  }

  /** The first value of each name. */
  private static Map<String, String> decoded(String queryString) {
    Map<String, String> query = new HashMap<>();
    for (String parameter : queryString == null ? new String[0] : queryString.split("&")) {
      String[] parts = parameter.split("=", 2);
      query.putIfAbsent(decode(parts[0]), parts.length == 1 ? "" : decode(parts[1]));
    }
    return query;
  }

  private static String decode(String text) {
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }

  /** Whether anything is said of single replicas. */
  boolean showsAnyReplica() {
    return showsLocations || showsRacks || showsReplicas || showsUpgradeDomains;
  }
}
