package io.acaciafs.namenode.fsck;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import org.apache.hadoop.fs.permission.FsAction;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DirectoryListing;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.jspecify.annotations.Nullable;

/**
 * Walks a tree in the order of names, a page of a directory at a time, and has each file checked.
 * It holds a page of each directory on its way, but never more entries in all than a limit: those
 * of the directories nearest the top are read again when it comes back there. Used by one thread.
 */
final class TreeCheck {
  /** Enough for the pages of twenty directories. */
  static final int MOST_ENTRIES = 20_000;

  private static final int ENTRIES_A_FLUSH = 1000;

  private final FsckOptions options;
  private final ClientProtocol client;
  private final boolean checksRights;
  private final FileCheck files;
  private final FsckCounts counts;
  private final int mostEntries;
  private final PrintWriter out;
  private final Deque<Level> levels = new ArrayDeque<>();
  private int held;

  /** A directory on the way, and how far it has been gone through. */
  private static final class Level {
    final String path;
    byte[] last = HdfsFileStatus.EMPTY_NAME;
    HdfsFileStatus @Nullable [] page;
    int next;
    boolean hasMore = true;

    Level(String path) {
      this.path = path;
    }
  }

  /**
   * @param checksRights whether it has to be asked of each file if the user may read it
   * @param mostEntries that are held, beyond those of the page that is being gone through
   */
  TreeCheck(
      FsckOptions options,
      ClientProtocol client,
      boolean checksRights,
      FileCheck files,
      FsckCounts counts,
      int mostEntries,
      PrintWriter out) {
    this.options = options;
    this.client = client;
    this.checksRights = checksRights;
    this.files = files;
    this.counts = counts;
    this.mostEntries = mostEntries;
    this.out = out;
  }

  /**
   * @param top what the path of the options names
   * @throws IOException when the user may not see something, or the reader of the report is gone
   */
  void check(HdfsFileStatus top) throws IOException {
    boolean isFile = !top.isDirectory() && !top.isSymlink();
    HdfsFileStatus located = isFile ? client.getLocatedFileInfo(options.path(), false) : top;
    if (located == null) {
      return;
    }
    visit(options.path(), located);
    while (!levels.isEmpty()) {
      Level level = levels.peek();
      HdfsFileStatus entry = next(level);
      if (entry == null) {
        drop(level);
        levels.pop();
      } else {
        visit(entry.getFullName(level.path), entry);
      }
    }
  }

  private void visit(String path, HdfsFileStatus entry) throws IOException {
    if (counts.inodes() % ENTRIES_A_FLUSH == 0) {
      out.println();
      if (out.checkError()) {
        throw new IOException("Nobody reads the report of " + options.path());
      }
    }
    if (entry.isDirectory()) {
      if (options.has(FsckOptions.Flag.FILES)) {
        out.println(path + " <dir>");
      }
      counts.dirs++;
      levels.push(new Level(path));
    } else if (entry.isSymlink()) {
      if (options.has(FsckOptions.Flag.FILES)) {
        out.println(path + " <symlink>");
      }
      counts.symlinks++;
    } else if (entry instanceof HdfsLocatedFileStatus file && file.getLocatedBlocks() != null) {
      if (checksRights) {
        client.checkAccess(path, FsAction.READ);
      }
      files.check(path, file);
    }
  }

  /** Null behind the last entry, or where the directory is gone. */
  private @Nullable HdfsFileStatus next(Level level) throws IOException {
    if (level.page != null && level.next == level.page.length) {
      drop(level);
    }
    if (level.page == null) {
      if (!level.hasMore) {
        return null;
      }
      DirectoryListing listing = client.getListing(level.path, level.last, true);
      if (listing == null || listing.getPartialListing().length == 0) {
        return null;
      }
      level.hasMore = listing.hasMore();
      level.page = listing.getPartialListing();
      level.next = 0;
      held += level.page.length;
      makeRoom(level);
    }
    HdfsFileStatus entry = level.page[level.next++];
    level.last = entry.getLocalNameInBytes();
    return entry;
  }

  private void drop(Level level) {
    if (level.page != null) {
      held -= level.page.length;
      level.page = null;
    }
  }

  /** What is behind the last entry that was visited is read again. */
  private void makeRoom(Level current) {
    for (Iterator<Level> fromTop = levels.descendingIterator();
        held > mostEntries && fromTop.hasNext(); ) {
      Level level = fromTop.next();
      if (level != current && level.page != null) {
        level.hasMore |= level.next < level.page.length;
        drop(level);
      }
    }
  }
}
