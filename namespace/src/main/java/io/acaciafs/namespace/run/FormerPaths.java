package io.acaciafs.namespace.run;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FormerDirectory;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.tree.Tree;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Where a path led before directories on it were renamed or removed, as far back as answers are
 * kept: from each name on to the directory that has it, and to those that had it. Used by one
 * thread, as its transaction.
 *
 * <p>Guards nothing. An attempt that is still under way to a directory that has lost its name meets
 * a conflict by its own guards.
 */
final class FormerPaths {
  /** Of one name, the latest: somebody may rename directories away from it all the time. */
  private static final int MOST = 1000;

  private final Tree tree;
  private final Reader reader;
  private final long oldestMs;

  /** A directory that the path led to, as it was when it or one above it lost its name. */
  private record Former(Locator directory, Buckets buckets, long timeMs) {}

  /** Takes the buckets in which the next name of the path was. */
  interface Visitor {
    void visit(Locator directory, int bucket);
  }

  /**
   * @param oldestMs what happened before is not kept any more
   */
  FormerPaths(Tree tree, long oldestMs) {
    this.tree = tree;
    this.reader = tree.transaction().unguarded();
    this.oldestMs = oldestMs;
  }

  /** Shows all directories that the path led through, but for those on it. */
  void visit(ResolvedPath path, Visitor visitor) {
    List<Former> reached = List.of();
    for (int i = 0; i < path.names().size(); i++) {
      byte[] name = path.names().get(i);
      for (Former former : reached) {
        for (int bucket : former.buckets.everOf(name)) {
          visitor.visit(former.directory, bucket);
        }
      }
      if (i < path.lastIndex()) {
        reached = next(path, i, reached);
      }
    }
  }

  /** The directories that the name at this index led to, from those that the names before did. */
  private List<Former> next(ResolvedPath path, int index, List<Former> reached) {
    byte[] name = path.names().get(index);
    Set<Locator> seen = new HashSet<>();
    if (index + 1 < path.inodes().size()
        && path.inodes().get(index + 1) instanceof DirectoryInode present) {
      seen.add(present.locator());
    }
    List<Former> next = new ArrayList<>();
    if (index < path.inodes().size() && path.inodes().get(index) instanceof DirectoryInode parent) {
      addFormer(parent.locator(), parent.buckets(), name, seen, next);
    }
    for (Former parent : reached) {
      Buckets now = bucketsNow(parent);
      if (tree.peekChild(parent.directory, now, name) instanceof DirectoryInode child
          && seen.add(child.locator())) {
        next.add(new Former(child.locator(), child.buckets(), parent.timeMs));
      }
      addFormer(parent.directory, now, name, seen, next);
    }
    next.sort(Comparator.comparingLong(Former::timeMs).reversed());
    return next.subList(0, Math.min(MOST, next.size()));
  }

  private void addFormer(
      Locator parent, Buckets buckets, byte[] name, Set<Locator> seen, List<Former> to) {
    for (int bucket : buckets.everOf(name)) {
      try (Scan rows = reader.scan(NamespaceKeys.formerDirectories(parent, bucket, name))) {
        while (rows.hasNext()) {
          Row row = rows.next();
          FormerDirectory lost = FormerDirectory.decode(row.value());
          Locator directory = NamespaceKeys.formerDirectoryOf(row.key());
          if (lost.timeMs() >= oldestMs && seen.add(directory)) {
            to.add(new Former(directory, lost.buckets(), lost.timeMs()));
          }
        }
      }
    }
  }

  /** One that is elsewhere now may have been divided since; one that is removed has no header. */
  private Buckets bucketsNow(Former former) {
    byte[] header = reader.get(NamespaceKeys.header(former.directory));
    return header == null ? former.buckets : Buckets.decode(header);
  }
}
