package io.acaciafs.namespace.op.directory;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.namespace.directory.Entries;
import io.acaciafs.namespace.directory.NamedInode;
import io.acaciafs.namespace.op.common.ReservedDirectory;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.DirectoryListingStartAfterNotFoundException;
import org.apache.hadoop.fs.permission.FsAction;
import org.jspecify.annotations.Nullable;

/**
 * One page of a directory, in HDFS's order of names; of a file, the file itself under an empty
 * name; null where there is nothing. A directory that changes between two pages shows each entry
 * that was there all the time exactly once.
 *
 * @param startAfter last name of the page before, empty for the first; or a path below {@code
 *     /.reserved/.inodes}, whose last name counts
 * @param needLocation blocks of the entries are wanted, so that a page ends after dfs.ls.limit
 *     replicas as well
 */
public record GetListing(String path, byte[] startAfter, boolean needLocation)
    implements ReadOperation<GetListing.Page> {

  /**
   * A page ends when its inodes have taken so much in the store, whatever dfs.ls.limit says: a
   * thousand of them with extended attributes or ten thousand blocks each would not fit in memory.
   */
  private static final int PAGE_BYTES = 4 << 20;

  private static final int ENTRIES_BETWEEN_PAUSES = 64;

  /**
   * @param hasMore whether there are entries behind the last one
   */
  public record Page(List<InodeStatus> entries, boolean hasMore) {}

  @Override
  public @Nullable Page run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, PathUse.READ);
    byte[] nameToStartAfter = nameToStartAfter(tree);
    if (ReservedDirectory.isAt(resolved)) {
      return new Page(ReservedDirectory.entries(tree.settings()), false);
    }
    if (!resolved.exists()) {
      return null;
    }
    if (resolved.inode() instanceof DirectoryInode directory) {
      tree.permissions().checkInode(resolved, FsAction.READ_EXECUTE);
      return page(tree, directory, resolved, nameToStartAfter);
    }
    if (needLocation && resolved.inode() instanceof FileInode file) {
      tree.readAhead(file, file::blocks);
    }
    return new Page(List.of(tree.status(resolved, resolved.existing())), false);
  }

  private byte[] nameToStartAfter(Tree tree) throws DirectoryListingStartAfterNotFoundException {
    String startAfterPath = new String(startAfter, StandardCharsets.UTF_8);
    if (!startAfterPath.startsWith("/.reserved/")) {
      return startAfter;
    }
    try {
      return tree.nameBehindReserved(startAfterPath);
    } catch (IOException e) {
      throw new DirectoryListingStartAfterNotFoundException(
          "Can't find startAfter " + startAfterPath);
    }
  }

  private Page page(Tree tree, DirectoryInode directory, ResolvedPath resolved, byte[] after) {
    Entries found =
        tree.directories()
            .entries(directory, after, tree.settings().limits().listing(), () -> new Room(tree));
    List<NamedInode> told = needLocation ? tree.readAhead(directory, found.list()) : found.list();
    if (told.isEmpty() && found.hasMore()) {
      throw new ConflictException(NamespaceKeys.header(directory.locator())); // no page is empty
    }
    tree.directories().readCountersAhead(told);
    byte policyId = resolved.storagePolicyId();
    List<InodeStatus> entries = new ArrayList<>(told.size());
    for (NamedInode entry : told) {
      entries.add(tree.status(resolved, entry, policyId));
    }
    return new Page(entries, found.hasMore());
  }

  /** What a page has room for. */
  private final class Room implements Predicate<NamedInode> {
    private final Tree tree;
    private final int limit;
    private int entries;
    private int replicasLeft;
    private int bytesLeft = PAGE_BYTES;

    private Room(Tree tree) {
      this.tree = tree;
      this.limit = tree.settings().limits().listing();
      this.replicasLeft = limit;
    }

    @Override
    public boolean test(NamedInode entry) {
      if (entries == limit || replicasLeft <= 0 || bytesLeft <= 0) {
        return false;
      }
      if (entries % ENTRIES_BETWEEN_PAUSES == ENTRIES_BETWEEN_PAUSES - 1) {
        tree.caller().pause();
      }
      entries++;
      bytesLeft -= entry.storedBytes();
      if (needLocation && entry.inode() instanceof FileInode file) {
        replicasLeft -= file.blocks().size() * file.replication();
      }
      return true;
    }
  }
}
