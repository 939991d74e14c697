package io.acaciafs.namespace.op.lease;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.path.PeekedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.jspecify.annotations.Nullable;

/**
 * One page of the files that are being written, in the order of their inode ids; for superusers.
 * Guards nothing: files that open and close meanwhile may be in it or not, as in HDFS.
 *
 * @param afterId inode id of the last one of the page before; not positive for the first page
 * @param below only files at or below this path, in any of its forms; empty: all
 * @param wanted only these of them
 */
public record ListOpenFiles(long afterId, String below, Predicate<FileInode> wanted)
    implements ReadOperation<ListOpenFiles.Page> {

  /** All of them. */
  public ListOpenFiles(long afterId, String below) {
    this(afterId, below, file -> true);
  }

  /**
   * @param hasMore whether to ask again
   */
  public record Page(List<OpenFileEntry> entries, boolean hasMore) {}

  @Override
  public Page run(Tree tree) throws IOException {
    String top = below.isEmpty() ? "/" : normalized(below);
    tree.permissions().checkSuperuser("listOpenFiles", below);
    int limit = tree.settings().features().openFilesPerPage();
    List<OpenFileEntry> entries = new ArrayList<>();
    KeyRange range =
        KeyRange.ofTable(NamespaceKeys.OPEN_FILES)
            .startingAfter(NamespaceKeys.openFile(Math.max(0, afterId)).bytes());
    try (Scan rows = tree.transaction().unguarded().scan(range)) {
      while (rows.hasNext()) {
        if (entries.size() == limit) {
          return new Page(entries, true);
        }
        add(entries, top, tree.peekPath(NamespaceKeys.idOf(rows.next().key())));
      }
    }
    return new Page(entries, false);
  }

  /** As Hadoop's FileSystem, and HDFS here, has paths: the dots in it are only text. */
  private static String normalized(String path) {
    if (!path.startsWith("/")) {
      throw new InvalidPathException("Absolute path required, but got '" + path + "'");
    }
    return new Path(path).toString();
  }

  private void add(List<OpenFileEntry> entries, String top, @Nullable PeekedPath peeked) {
    if (peeked != null
        && peeked.inode() instanceof FileInode file
        && file.isUnderConstruction()
        && DFSUtil.isParentEntry(peeked.path(), top)
        && wanted.test(file)) {
      entries.add(
          new OpenFileEntry(
              file.id(),
              peeked.path(),
              file.leaseHolder().clientName(),
              file.leaseHolder().clientMachine()));
    }
  }
}
