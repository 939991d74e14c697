package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.hbase.HBaseStore;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.record.codec.InodeCodec;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.apache.hadoop.hdfs.server.namenode.INodeId;

/**
 * Reads all rows of a namespace on HBase, while nobody writes, and tells what is wrong: loops,
 * directories that no path leads to, entries of two places, counters that do not count. Holds all
 * of it in memory. Used by one thread, once.
 */
public final class TableWalk {
  private final Store store;
  private final InodeCodec codec;
  private final Set<Long> leftToSweep = new HashSet<>();

  /** By the id of an inode. */
  private final Map<Long, Place> places = new HashMap<>();

  private final Map<Long, Long> counted = new HashMap<>();
  private final Map<Long, Long> found = new HashMap<>();
  private final List<String> wrong = new ArrayList<>();

  private record Place(long directory, String name) {}

  private TableWalk(Store store) {
    this.store = store;
    this.codec = InodeCodec.forReading(store, new Dictionary());
  }

  /**
   * What there is.
   *
   * @param wrong each contradiction, as a sentence
   * @param paths of everything that can be reached
   */
  public record Result(List<String> wrong, Set<String> paths) {}

  /** Walks over the table "acacia". */
  public static Result of(String zooKeeper) {
    try (Store store = HBaseStore.open(HBaseOptions.of(zooKeeper))) {
      return new TableWalk(store).walk();
    }
  }

  private Result walk() {
    forEach(
        NamespaceKeys.sweepJobs(new byte[0]),
        row -> leftToSweep.add(SweepJob.decode(row.value()).directoryId()));
    forEach(KeyRange.ofTable(NamespaceKeys.ENTRIES), this::visit);
    Set<Long> directories = new TreeSet<>(found.keySet());
    directories.addAll(counted.keySet());
    for (long directory : directories) {
      if (leftToSweep.contains(directory)) {
        continue;
      }
      long names = found.getOrDefault(directory, 0L);
      long told = counted.getOrDefault(directory, 0L);
      if (names != told) {
        wrong.add("directory " + directory + " has " + names + " entries and counts " + told);
      }
    }
    Set<String> paths = new TreeSet<>();
    for (long inode : places.keySet()) {
      String path = pathOf(inode);
      if (path != null) {
        paths.add(path);
      }
    }
    return new Result(wrong, paths);
  }

  private void forEach(KeyRange range, Consumer<Row> visitor) {
    try (Scan rows = store.scan(range)) {
      rows.forEachRemaining(visitor);
    }
  }

  private void visit(Row row) {
    if (NamespaceKeys.isHeader(row.key()) || NamespaceKeys.isRetry(row.key())) {
      return;
    }
    long directory = NamespaceKeys.directoryOf(row.key()).directoryId();
    if (!NamespaceKeys.isEntry(row.key())) {
      counted.merge(directory, DirectoryCounters.decode(row.value()).entries(), Long::sum);
      return;
    }
    Inode inode = codec.decode(row.value());
    if (inode.id() == INodeId.ROOT_INODE_ID) {
      return;
    }
    found.merge(directory, 1L, Long::sum);
    byte[] name = NamespaceKeys.nameOf(row.key());
    Place place = new Place(directory, new String(name, StandardCharsets.UTF_8));
    Place other = places.put(inode.id(), place);
    if (other != null) {
      wrong.add("inode " + inode.id() + " is at " + place + " and at " + other);
    }
    byte[] location = store.get(NamespaceKeys.inode(inode.id()));
    if (location == null
        || !InodeLocation.decode(location)
            .directory()
            .equals(NamespaceKeys.directoryOf(row.key()))) {
      wrong.add("the row of inode " + inode.id() + " does not lead to " + place);
    }
    if (inode instanceof DirectoryInode directoryInode
        && directoryInode.locator().directoryId() != inode.id()) {
      wrong.add("directory " + inode.id() + " has the locator of another one");
    }
  }

  /** Null for what is left to sweep, and for what is out of reach, which is wrong. */
  private String pathOf(long inode) {
    StringBuilder path = new StringBuilder();
    Set<Long> seen = new HashSet<>();
    for (long id = inode; id != INodeId.ROOT_INODE_ID; ) {
      if (leftToSweep.contains(id)) {
        return null;
      }
      Place place = places.get(id);
      if (place == null || !seen.add(id)) {
        wrong.add(
            "inode "
                + inode
                + (place == null ? " has no way to the root, at " : " is in a loop, at ")
                + id);
        return null;
      }
      path.insert(0, "/" + place.name());
      id = place.directory();
    }
    return path.toString();
  }
}
