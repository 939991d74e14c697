package io.acaciafs.namespace;

import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.InodeLocation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.security.AccessControlException;

/**
 * From paths and inode ids to inodes. Knows the reserved paths: {@code /.reserved/.inodes/ID/...}
 * begins at an inode wherever it is, {@code /.reserved/raw/...} is the path behind it.
 */
final class PathResolver {
  private final Tree tree;

  PathResolver(Tree tree) {
    this.tree = tree;
  }

  ResolvedPath resolve(String path, PathUse use) throws IOException {
    boolean creates = use.creates();
    if (creates && !PathNames.isValid(path)) {
      throw new InvalidPathException("Invalid file name: " + path);
    }
    ResolvedPath resolved = follow(path, use);
    try {
      tree.permissions().checkTraverse(resolved);
    } catch (ParentNotDirectoryException e) {
      if (creates) {
        throw e;
      }
      throw new AccessControlException(e.getMessage());
    }
    if (use.resolvesLink() && resolved.exists()) {
      resolved.requireNoLink(resolved.names().size());
    }
    return resolved;
  }

  private ResolvedPath follow(String path, PathUse use) throws IOException {
    ResolvedPath plain = followPlain(path, use.expectsNothing());
    if (plain != null) {
      return plain;
    }
    List<byte[]> names = PathNames.split(path);
    ResolvedPath followed = tree.walk(withoutReserved(names));
    if (use.writes() && PathNames.isBelowReserved(names, PathNames.RAW)) {
      tree.permissions().checkSuperuser();
    }
    return followed;
  }

  /** Null for the root, for what has a reserved name, and where the parent is no directory. */
  private ResolvedPath followPlain(String path, boolean expectsNothing) {
    return PathNames.mayBeReserved(path) ? null : tree.follow(path, expectsNothing);
  }

  ResolvedPath resolve(String path, long fileId) throws IOException {
    if (fileId == 0) {
      return resolve(path, PathUse.WRITE);
    }
    // as in HDFS only the id counts: the text beside it need not even be a path
    if (!path.startsWith("/")) {
      ResolvedPath byId = resolve(fileId);
      return byId != null ? byId : tree.walk(PathNames.split(path));
    }
    ResolvedPath plain = followPlain(path, false);
    ResolvedPath byPath = plain != null ? plain : tree.walk(PathNames.split(path));
    Inode inode = byPath.inode();
    if (inode != null && inode.id() == fileId) {
      return byPath;
    }
    ResolvedPath byId = resolve(fileId);
    return byId != null ? byId : new ResolvedPath(byPath.names(), List.of(tree.root()));
  }

  /** Climbs from an inode to the root; null where the way up ends before: it was deleted. */
  ResolvedPath resolve(long inodeId) {
    tree.showRoot();
    List<byte[]> names = namesTo(inodeId);
    if (names == null) {
      return null;
    }
    ResolvedPath path = tree.walk(names);
    return path.exists() && path.inode().id() == inodeId ? path : null;
  }

  private List<byte[]> namesTo(long inodeId) {
    LinkedList<byte[]> names = new LinkedList<>();
    Set<Long> seen = new HashSet<>();
    for (long id = inodeId; id != Root.ID; ) {
      InodeLocation location = tree.location(id);
      // a loop is made of rows of different moments; the commit will find a guard that broke
      if (location == null || !seen.add(id)) {
        return null;
      }
      names.addFirst(location.name());
      id = location.directory().directoryId();
    }
    return names;
  }

  /** The name that a listing goes on behind, from the path that it was told instead. */
  byte[] nameBehindReserved(String path) throws FileNotFoundException {
    List<byte[]> names = withoutReserved(PathNames.split(path));
    return names.isEmpty() ? new byte[0] : names.get(names.size() - 1);
  }

  private List<byte[]> withoutReserved(List<byte[]> names) throws FileNotFoundException {
    if (PathNames.isBelowReserved(names, PathNames.DOT_INODES) && names.size() > 2) {
      return behindInode(names);
    }
    if (PathNames.isBelowReserved(names, PathNames.RAW)) {
      List<byte[]> behind = names.subList(2, names.size());
      // /.reserved/raw/.reserved is not a way back into the reserved names
      return behind.size() == 1 && PathNames.isReserved(behind) ? names : behind;
    }
    return names;
  }

  private List<byte[]> behindInode(List<byte[]> names) throws FileNotFoundException {
    long id;
    try {
      id = Long.parseLong(PathNames.toString(names.get(2)));
    } catch (NumberFormatException e) {
      throw new FileNotFoundException("Invalid inode path: " + PathNames.join(names, names.size()));
    }
    ResolvedPath place = resolve(id);
    if (place == null) {
      throw new FileNotFoundException(
          "File for given inode path does not exist: " + PathNames.join(names, names.size()));
    }
    List<byte[]> found = place.names();
    if (names.size() > 3 && Arrays.equals(names.get(3), PathNames.DOT_DOT)) {
      return found.subList(0, Math.max(0, found.size() - 1));
    }
    List<byte[]> path = new ArrayList<>(found);
    path.addAll(names.subList(3, names.size()));
    return path;
  }
}
