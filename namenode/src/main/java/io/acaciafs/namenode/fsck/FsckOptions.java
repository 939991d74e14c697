package io.acaciafs.namenode.fsck;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is asked of fsck, as the parameters of its request say.
 *
 * @param path absolute
 * @param flags that are set
 * @param skipCorrupt how many corrupt files have been listed by requests before
 * @param blockIds to report alone, in place of the path; null where it is not so
 */
record FsckOptions(
    String path, Set<Flag> flags, @Nullable String skipCorrupt, @Nullable List<String> blockIds) {

  /** Source of the names: HDFS 3.5's DFSck. */
  enum Flag {
    MOVE("move"),
    DELETE("delete"),
    REPLICATE("replicate"),
    FILES("files"),
    OPEN_FILES("openforwrite"),
    BLOCKS("blocks"),
    LOCATIONS("locations"),
    RACKS("racks"),
    REPLICAS("replicadetails"),
    UPGRADE_DOMAINS("upgradedomains"),
    MAINTENANCE("maintenance"),
    STORAGE_POLICIES("storagepolicies"),
    PROGRESS("showprogress"),
    CORRUPT_FILES("listcorruptfileblocks");

    private final String parameter;

    Flag(String parameter) {
      this.parameter = parameter;
    }
  }

  /** What a line of the audit log is about, as HDFS's. */
  String auditSource() {
    return blockIds == null ? path : "blocksIds=[" + blockIds + "]";
  }

  /**
   * A flag is set by being there, whatever its value.
   *
   * @param queryString as it was sent: in the request's parameters HTML is quoted; or null
   */
  static FsckOptions of(@Nullable String queryString) {
    Map<String, String> query = decoded(queryString);
    Set<Flag> flags = EnumSet.noneOf(Flag.class);
    for (Flag flag : Flag.values()) {
      if (query.containsKey(flag.parameter)) {
        flags.add(flag);
      }
    }
    String blockIds = query.get("blockId");
    return new FsckOptions(
        query.getOrDefault("path", "/"),
        flags,
        query.get("startblockafter"),
        blockIds == null ? null : Arrays.asList(blockIds.split(" ")));
  }

  boolean has(Flag flag) {
    return flags.contains(flag);
  }

  /** Whether files are moved, deleted or given replicas. */
  boolean changes() {
    return has(Flag.MOVE) || has(Flag.DELETE) || has(Flag.REPLICATE);
  }

  /** The first value of each name. */
  private static Map<String, String> decoded(@Nullable String queryString) {
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
    return has(Flag.LOCATIONS)
        || has(Flag.RACKS)
        || has(Flag.REPLICAS)
        || has(Flag.UPGRADE_DOMAINS);
  }
}
