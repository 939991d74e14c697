package io.acaciafs.namespace.lookup;

import io.acaciafs.namespace.context.CommitNotes;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.path.PathNames;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.PathWalk;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.permission.PermissionChecker;
import io.acaciafs.namespace.quota.QuotaLedger;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * From paths and inode ids to inodes. Knows the reserved paths: {@code /.reserved/.inodes/ID/...}
 * begins at an inode wherever it is, {@code /.reserved/raw/...} is the path behind it. Used by one
 * thread, as its transaction.
 */
public final class PathResolver {
  private final OperationContext context;
  private final PathCache directories;
  private final PermissionChecker permissions;
  private final QuotaLedger quotas;
  private final CommitNotes notes;
  private @Nullable Consumer<ResolvedPath> firstPathWatcher;

  public PathResolver(
      OperationContext context,
      PathCache directories,
      PermissionChecker permissions,
      QuotaLedger quotas,
      CommitNotes notes) {
    this.context = context;
    this.directories = directories;
    this.permissions = permissions;
    this.quotas = quotas;
    this.notes = notes;
  }

  /** Shows the first path that is followed to a watcher, before it is judged in any way. */
  public void onFirstPath(Consumer<ResolvedPath> watcher) {
    firstPathWatcher = watcher;
  }

  public ResolvedPath resolve(String path, PathUse use) throws IOException {
    boolean creates = use.creates();
    if (creates && !PathNames.isValid(path)) {
      throw new InvalidPathException("Invalid file name: " + path);
    }
    ResolvedPath resolved = follow(path, use);
    try {
      if (use == PathUse.READ_DATA) {
        permissions.checkTraverseFirst(resolved);
      } else {
        permissions.checkTraverse(resolved);
      }
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
    ResolvedPath followed = walk(withoutReserved(names));
    if (use.writes() && PathNames.isBelowReserved(names, PathNames.RAW)) {
      permissions.checkSuperuser(followed);
    }
    return followed;
  }

  /** Null for the root, for what has a reserved name, and where the parent is no directory. */
  private @Nullable ResolvedPath followPlain(String path, boolean expectsNothing) {
    if (PathNames.mayBeReserved(path)) {
      return null;
    }
    ResolvedPath followed =
        directories.follow(context, path, expectsNothing && context.hasRemoteReads());
    return followed == null ? null : noteFollowed(followed);
  }

  private ResolvedPath walk(List<byte[]> names) {
    return noteFollowed(PathWalk.down(context, names));
  }

  private ResolvedPath noteFollowed(ResolvedPath path) {
    quotas.look(path);
    if (path.exists()) {
      notes.isAbout(path.existing());
    }
    showToWatcher(path);
    return path;
  }

  private void showToWatcher(ResolvedPath path) {
    if (firstPathWatcher != null) {
      Consumer<ResolvedPath> watcher = firstPathWatcher;
      firstPathWatcher = null;
      watcher.accept(path);
    }
  }

  /** Where an id leads may change between two attempts of a call; the root stays. */
  private void showRoot() {
    if (firstPathWatcher != null) {
      showToWatcher(new ResolvedPath(List.of(), List.of(context.root())));
    }
  }

  public ResolvedPath resolve(String path, long fileId) throws IOException {
    if (fileId == 0) {
      return resolve(path, PathUse.WRITE);
    }
    // as in HDFS only the id counts: the text beside it need not even be a path
    if (!path.startsWith("/")) {
      ResolvedPath byId = resolve(fileId);
      return byId != null ? byId : walk(PathNames.split(path));
    }
    ResolvedPath plain = followPlain(path, false);
    ResolvedPath byPath = plain != null ? plain : walk(PathNames.split(path));
    if (byPath.leadsTo(fileId)) {
      return byPath;
    }
    ResolvedPath byId = resolve(fileId);
    return byId != null ? byId : new ResolvedPath(byPath.names(), List.of(context.root()));
  }

  /** Null when there is no inode of this id, or when it was deleted. */
  public @Nullable ResolvedPath resolve(long inodeId) {
    showRoot();
    List<byte[]> names = PathWalk.namesTo(context, inodeId);
    if (names == null) {
      return null;
    }
    ResolvedPath path = walk(names);
    return path.leadsTo(inodeId) ? path : null;
  }

  /** The name that a listing goes on behind, from the path that it was told instead. */
  public byte[] nameBehindReserved(String path) throws FileNotFoundException {
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
