package io.acaciafs.namespace.lookup;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.namespace.context.EntryRows;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.context.Root;
import io.acaciafs.namespace.lease.DirectoryLeases;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.Inode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Directories by path, so that following a path costs one read and not one a component. Safe for
 * use by many threads.
 *
 * <p>Nobody tells the cache of changes: a transaction assumes each row on the way as it was seen,
 * and what the store does not confirm is read again. An operation that found its way here is
 * guarded like one that read everything itself. One that may rest on {@link DirectoryLeases} does
 * so where all directories on the way have tokens, and guards none of them.
 */
public final class PathCache {
  /** Longer paths are rare, and are followed by a recursion for each component. */
  private static final int LONGEST_PATH = 2048;

  /** Of one entry besides its path and its row; roughly. */
  private static final int OVERHEAD_BYTES = 500;

  private final Cache<String, CachedDirectory> directories;
  private final @Nullable DirectoryLeases leases;

  /**
   * @param maxBytes of memory, about
   * @param leases null where every operation guards the directories on its paths
   */
  public PathCache(long maxBytes, @Nullable DirectoryLeases leases) {
    this.leases = leases;
    this.directories =
        Caffeine.newBuilder()
            .maximumWeight(maxBytes)
            .weigher(PathCache::weight)
            .executor(Runnable::run) // upkeep is short, and needs no threads of its own
            .build();
  }

  private static int weight(String path, CachedDirectory directory) {
    return OVERHEAD_BYTES + 2 * path.length() + directory.rowBytes();
  }

  /** A directory and the way to it. */
  private record CachedDirectory(
      @Nullable CachedDirectory parent,
      int depth,
      byte @Nullable [] name,
      DirectoryInode inode,
      VersionedRow row,
      DirectoryLeases.@Nullable Token token) {

    int rowBytes() {
      return Objects.requireNonNull(row.value(), "a directory has a row").length;
    }

    /** The directory that this one, which is not the root, is in. */
    CachedDirectory above() {
      return Objects.requireNonNull(parent, "it is not the root");
    }

    boolean isLeased() {
      for (CachedDirectory directory = this; directory != null; directory = directory.parent) {
        if (directory.token == null || !directory.token.isValid()) {
          return false;
        }
      }
      return true;
    }

    /** The operation rests on this way from now on. */
    void noteIn(OperationContext context) {
      List<DirectoryLeases.Token> leased =
          Objects.requireNonNull(context.leased(), "the operation rests on leases");
      for (CachedDirectory directory = this; directory != null; directory = directory.parent) {
        leased.add(directory.token);
      }
    }

    /** Whether reading it again is likely to give what it lacks. */
    boolean mayBeLeasedAgain(DirectoryLeases leases) {
      for (CachedDirectory directory = this; directory != null; directory = directory.parent) {
        if (leases.isRevoked(directory.inode.id())) {
          return false;
        }
      }
      return !isLeased();
    }

    boolean isAssumedBy(OperationContext context) {
      for (CachedDirectory directory = this; directory != null; directory = directory.parent) {
        if (!context.transaction().guard(directory.row)) {
          return false;
        }
      }
      return true;
    }

    /** The same entry of a directory that was read again. */
    CachedDirectory below(CachedDirectory newParent) {
      return new CachedDirectory(newParent, depth, name, inode, row, token);
    }

    /** The path of an entry of this directory. */
    ResolvedPath pathTo(byte @Nullable [] childName, @Nullable Inode child) {
      byte[][] names = new byte[depth + 1][];
      Inode[] inodes = new Inode[child == null ? depth + 1 : depth + 2];
      names[depth] = childName;
      if (child != null) {
        inodes[depth + 1] = child;
      }
      CachedDirectory directory = this;
      for (int i = depth; i > 0; i--) {
        names[i - 1] = directory.name;
        inodes[i] = directory.inode;
        directory = directory.above();
      }
      inodes[0] = directory.inode;
      return new ResolvedPath(Arrays.asList(names), Arrays.asList(inodes));
    }
  }

  /**
   * Follows a path, whose parent is a directory.
   *
   * @param expectsNothing to take it for granted that there is no such entry, if the store agrees
   * @return null where it is not, or where the path is not a plain one
   */
  @Nullable ResolvedPath follow(OperationContext context, String path, boolean expectsNothing) {
    int slash = path.lastIndexOf('/');
    if (!isPlain(path, slash)) {
      return null;
    }
    String parentPath = path.substring(0, slash);
    CachedDirectory parent = leasedOrRead(context, parentPath);
    if (parent != null) {
      CachedDirectory itself = leased(context, path);
      if (itself != null) {
        itself.noteIn(context);
        return itself.above().pathTo(itself.name, itself.inode);
      }
      parent.noteIn(context);
    } else if (context.leased() == null || directories.getIfPresent(parentPath) != null) {
      parent = find(context, parentPath);
    } // else there was none a moment ago
    if (parent == null) {
      return null;
    }
    byte[] name = path.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
    boolean isAbsent =
        expectsNothing
            && directories.getIfPresent(path) == null
            && context.rows().guardAbsent(parent.inode, name);
    return parent.pathTo(name, isAbsent ? null : context.child(parent.inode, name));
  }

  private static boolean isPlain(String path, int lastSlash) {
    return lastSlash >= 0 && lastSlash < path.length() - 1 && path.length() <= LONGEST_PATH;
  }

  /**
   * Where the entries are, as far as their directories are known. What is read there is read after
   * the directories that the operation rests on: otherwise it could be of a time when these were
   * different.
   */
  List<Key> keysOf(OperationContext context, String... paths) {
    List<Key> keys = new ArrayList<>(paths.length);
    for (String path : paths) {
      int slash = path.lastIndexOf('/');
      CachedDirectory parent =
          isPlain(path, slash) ? knownOrLeased(context, path.substring(0, slash)) : null;
      if (parent != null && parent.inode.buckets().filling() == 0) {
        byte[] name = path.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
        keys.add(EntryRows.ofNew(parent.inode, name));
      }
    }
    return keys;
  }

  /** What guards will be looked at for is taken as it is known; what is rested on has force. */
  private @Nullable CachedDirectory knownOrLeased(OperationContext context, String path) {
    if (context.leased() == null) {
      return directories.getIfPresent(path);
    }
    CachedDirectory directory = leasedOrRead(context, path);
    if (directory != null) {
      directory.noteIn(context);
    }
    return directory;
  }

  /**
   * As {@link #leased}; what only has to be read for it is read, and still no guard of the
   * operation.
   */
  private @Nullable CachedDirectory leasedOrRead(OperationContext context, String path) {
    CachedDirectory known = leased(context, path);
    if (known != null || context.leased() == null) {
      return known;
    }
    CachedDirectory cached = directories.getIfPresent(path);
    if (cached != null && leases != null && !cached.mayBeLeasedAgain(leases)) {
      return null;
    }
    find(context.inNewTransaction(), path);
    context
        .transaction()
        .remoteReads()
        .noteReadBeside(); // the path before may have been followed already
    return leased(context, path);
  }

  /** Null where it is not known, or an operation must not rest on it. */
  private @Nullable CachedDirectory leased(OperationContext context, String path) {
    if (context.leased() == null) {
      return null;
    }
    CachedDirectory cached = directories.getIfPresent(path);
    return cached != null && cached.isLeased() ? cached : null;
  }

  /**
   * @param path without a slash at its end; empty for the root
   */
  private @Nullable CachedDirectory find(OperationContext context, String path) {
    if (!context.transaction().remoteReads().mayBlock()) {
      throw new WouldBlockException(); // a row has to be read after the moment of its token
    }
    CachedDirectory cached = directories.getIfPresent(path);
    boolean isToBeRead =
        cached != null && leases != null && leases.isOn() && cached.mayBeLeasedAgain(leases);
    if (cached != null && !isToBeRead && cached.isAssumedBy(context)) {
      return cached;
    }
    CachedDirectory found = path.isEmpty() ? root(context) : look(context, path, cached);
    if (found != null) {
      directories.put(path, found);
    } else if (cached != null) {
      directories.invalidate(path);
    }
    return found;
  }

  private CachedDirectory root(OperationContext context) {
    long moment = moment();
    VersionedRow row = context.transaction().getVersioned(Root.KEY);
    DirectoryInode root = context.rootOf(row.value());
    return new CachedDirectory(null, 0, null, root, row, tokenFor(root, moment));
  }

  /**
   * @param before what was known of the path; null for nothing
   */
  private @Nullable CachedDirectory look(
      OperationContext context, String path, @Nullable CachedDirectory before) {
    int slash = path.lastIndexOf('/');
    if (slash < 0 || slash == path.length() - 1) {
      return null;
    }
    CachedDirectory parent = find(context, path.substring(0, slash));
    if (parent == null) {
      return null;
    }
    if (before != null
        && (leases == null || before.token != null && before.token.isValid())
        && before.above().inode.locator().equals(parent.inode.locator())
        && context.transaction().guard(before.row)) {
      return before.below(parent);
    }
    byte[] name = path.substring(slash + 1).getBytes(StandardCharsets.UTF_8);
    long moment = moment();
    VersionedRow row = context.rows().getVersioned(parent.inode, name);
    return context.inodeOf(row.value()) instanceof DirectoryInode directory
        ? new CachedDirectory(
            parent, parent.depth + 1, name, directory, row, tokenFor(directory, moment))
        : null;
  }

  private long moment() {
    return leases == null ? 0 : leases.moment();
  }

  /**
   * @param moment from before it was read
   */
  private DirectoryLeases.@Nullable Token tokenFor(DirectoryInode directory, long moment) {
    return leases == null ? null : leases.tokenFor(directory.id(), moment);
  }
}
