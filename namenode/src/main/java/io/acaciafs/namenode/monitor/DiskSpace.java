package io.acaciafs.namenode.monitor;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the disks that a NameNode needs have room. Asks the operating system each time. Source:
 * HDFS 3.5's NameNodeResourceChecker. Safe for use by many threads.
 */
public final class DiskSpace {
  private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);

  private final long reservedBytes;
  private final List<File> folders;

  /**
   * @param reservedBytes less is too little
   */
  DiskSpace(long reservedBytes, List<File> folders) {
    this.reservedBytes = reservedBytes;
    this.folders = List.copyOf(folders);
  }

  /**
   * Of what the NameNode writes to, and of what the site names besides.
   *
   * @param written folders that it writes to
   */
  public static DiskSpace of(Configuration conf, List<Path> written) {
    List<File> folders = new ArrayList<>(written.stream().map(Path::toFile).toList());
    for (String more :
        conf.getTrimmedStringCollection(DFSConfigKeys.DFS_NAMENODE_CHECKED_VOLUMES_KEY)) {
      folders.add(new File(new org.apache.hadoop.fs.Path(more).toUri().getPath()));
    }
    return new DiskSpace(
        conf.getLongBytes(
            DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_KEY,
            DFSConfigKeys.DFS_NAMENODE_DU_RESERVED_DEFAULT),
        folders);
  }

  /**
   * What a folder's disk has.
   *
   * @param freeBytes 0 for a folder that is not there
   */
  public record Room(String folder, long freeBytes, long totalBytes) {}

  public List<Room> rooms() {
    return folders.stream()
        .map(folder -> new Room(folder.toString(), folder.getUsableSpace(), folder.getTotalSpace()))
        .toList();
  }

  public long reservedBytes() {
    return reservedBytes;
  }

  /** A folder that is not there has none. */
  public boolean isAvailable() {
    boolean isAvailable = true;
    for (File folder : folders) {
      long bytes = folder.getUsableSpace();
      if (bytes < reservedBytes) {
        LOG.warn(
            "Space available is below the configured reserved amount folder={} bytes={} reserved={}",
            folder,
            bytes,
            reservedBytes);
        isAvailable = false;
      }
    }
    return isAvailable;
  }
}
