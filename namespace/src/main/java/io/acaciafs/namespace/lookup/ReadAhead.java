package io.acaciafs.namespace.lookup;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.directory.NamedInode;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Asks a store on other servers at once for all rows that an operation is going to read. Used by
 * one thread, as its transaction.
 */
public final class ReadAhead {
  /** More are asked for when it is known that they are wanted. */
  private static final int MOST_BLOCKS_GUESSED = 8;

  /** The number of rows in one read. */
  private static final int MOST_BLOCKS_AHEAD = 256;

  private final OperationContext context;
  private final PathCache directories;
  private final Transaction transaction;

  public ReadAhead(OperationContext context, PathCache directories) {
    this.context = context;
    this.directories = directories;
    this.transaction = context.transaction();
  }

  /** Reads the entries that these paths lead to, as far as their directories are known. */
  public void entries(String... paths) {
    List<Key> keys = directories.keysOf(context, paths);
    if (keys.size() > 1) {
      transaction.remoteReads().prefetch(keys);
    }
  }

  /** Reads a file together with its blocks, where it is remembered which these are. */
  public void fileWithBlocks(String path) {
    List<Key> keys = directories.keysOf(context, path);
    byte[] row = keys.isEmpty() ? null : transaction.remoteReads().recallUnguarded(keys.get(0));
    if (context.inodeOf(row) instanceof FileInode file
        && file.blocks().size() <= MOST_BLOCKS_GUESSED) {
      file.blocks().forEach(block -> keys.addAll(context.blocks().rowsOf(block.id())));
      if (keys.size() > 1) {
        transaction.remoteReads().prefetch(keys);
      }
    }
  }

  /**
   * Reads blocks of a file, and guards those whose rows do not alone show that they are of the
   * file's moment.
   *
   * @return whether all rows show it
   */
  public boolean blocks(FileInode file, Collection<FileBlock> told) {
    List<FileBlock> wanted = List.copyOf(told);
    read(wanted);
    return settle(file, wanted);
  }

  private void read(List<FileBlock> wanted) {
    for (int i = 0; i < wanted.size(); i += MOST_BLOCKS_AHEAD) {
      transaction
          .remoteReads()
          .prefetch(rowsOf(wanted.subList(i, Math.min(wanted.size(), i + MOST_BLOCKS_AHEAD))));
    }
  }

  private boolean settle(FileInode file, List<FileBlock> told) {
    Reader ahead = transaction.remoteReads().prefetched();
    boolean areSettled = true;
    for (FileBlock block : told) {
      if (ahead == null || !context.blocks().tellsOf(ahead, file, block)) {
        rowsOf(List.of(block)).forEach(transaction::get);
        areSettled = false;
      }
    }
    return areSettled;
  }

  private List<Key> rowsOf(List<FileBlock> wanted) {
    return wanted.stream().flatMap(block -> context.blocks().rowsOf(block.id()).stream()).toList();
  }

  /**
   * Reads the blocks of the files in a page of a listing, in the state that the listing saw. For a
   * file whose blocks have changed meanwhile, the page shows the current state.
   *
   * @return the entries that are still there
   */
  public List<NamedInode> blocks(DirectoryInode directory, List<NamedInode> entries) {
    List<FileBlock> all = new ArrayList<>();
    entries.forEach(entry -> all.addAll(blocksOf(entry.inode())));
    read(all);
    List<NamedInode> settled = new ArrayList<>(entries.size());
    for (NamedInode entry : entries) {
      Inode told = entry.inode();
      if (told instanceof FileInode file && !settle(file, file.blocks())) {
        told = context.child(directory, entry.name());
        if (told instanceof FileInode now && now.id() == file.id()) {
          if (context.hasRemoteReads()) {
            blocks(now, now.blocks());
          }
        } else {
          told = null; // it is gone from there, and so are its blocks, or it was moved
        }
      }
      if (told != null) {
        settled.add(new NamedInode(entry.name(), told, entry.storedBytes()));
      }
    }
    return settled;
  }

  private static List<FileBlock> blocksOf(Inode inode) {
    return inode instanceof FileInode file ? file.blocks() : List.of();
  }
}
