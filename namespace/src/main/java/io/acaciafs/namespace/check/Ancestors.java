package io.acaciafs.namespace.check;

import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.InodeLocation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Climbs from directories to the root, and remembers some from which it came there. For one thread.
 */
final class Ancestors {
  private static final int MOST_REMEMBERED = 500_000;

  private final Rows rows;
  private final Set<Long> reachRoot = new HashSet<>();

  Ancestors(Rows rows) {
    this.rows = rows;
  }

  /**
   * @return whether the way up does not come back to where it was; what is out of reach does not
   */
  boolean isWithoutLoop(Reader reader, long directoryId) {
    Set<Long> seen = new HashSet<>();
    for (long id = directoryId; id != Namespace.ROOT_ID && !reachRoot.contains(id); ) {
      InodeLocation location = rows.location(reader, id);
      if (location == null) {
        return true;
      }
      if (!seen.add(id)) {
        return false;
      }
      id = location.directory().directoryId();
    }
    if (reachRoot.size() > MOST_REMEMBERED) {
      reachRoot.clear();
    }
    reachRoot.addAll(seen);
    return true;
  }

  /** The loop that the way up ends in, from its smallest id on; empty where it ends elsewhere. */
  List<Long> loopAbove(Reader reader, long directoryId) {
    List<Long> way = new ArrayList<>();
    Set<Long> seen = new HashSet<>();
    long id = directoryId;
    while (id != Namespace.ROOT_ID && seen.add(id)) {
      way.add(id);
      InodeLocation location = rows.location(reader, id);
      if (location == null || rows.inode(reader, id) == null) {
        return List.of();
      }
      id = location.directory().directoryId();
    }
    return id == Namespace.ROOT_ID ? List.of() : way.subList(way.indexOf(id), way.size());
  }

  /** Whether a directory is in the tree, each on the way up where it should be. */
  boolean isInTree(Reader reader, long directoryId) {
    Set<Long> seen = new HashSet<>();
    long id = directoryId;
    while (id != Namespace.ROOT_ID) {
      InodeLocation location = rows.location(reader, id);
      if (location == null || !seen.add(id) || rows.inode(reader, id) == null) {
        return false;
      }
      id = location.directory().directoryId();
    }
    return true;
  }
}
