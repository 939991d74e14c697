package io.acaciafs.namenode.fsck;

import java.util.Arrays;
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

  /** Source of the names: HDFS 3.5's DFSck. A flag is set by being there. */
  static FsckOptions of(Map<String, String[]> query) {
    String blockIds = first(query, "blockId");
    String path = first(query, "path");
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
        first(query, "startblockafter"),
        blockIds == null ? null : Arrays.asList(blockIds.split(" ")));
  }

  private static String first(Map<String, String[]> query, String name) {
    String[] values = query.get(name);
    return values == null || values.length == 0 ? null : values[0];
  }

  /** Whether anything is said of single replicas. */
  boolean showsAnyReplica() {
    return showsLocations || showsRacks || showsReplicas || showsUpgradeDomains;
  }
}
