package io.acaciafs.namespace.op.lease;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.path.PeekedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.OpenFile;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some of the files that are being written, in the order of their inode ids, for people: more of
 * each than {@link ListOpenFiles} tells. Guards nothing and asks for no permission.
 *
 * @param afterId inode id of the last one of the page before; 0 for the first page
 * @param part of the paths that are wanted; empty: all
 * @param limit most entries
 * @param most files that are looked at for these
 */
public record DescribeOpenFiles(long afterId, String part, int limit, int most)
    implements ReadOperation<DescribeOpenFiles.Page> {
  /**
   * @param nextAfterId for the next page; 0: there is none
   */
  public record Page(List<Entry> entries, long nextAfterId) {}

  /**
   * A file.
   *
   * @param clientName the holder of its lease
   * @param clientMachine where the writer runs
   * @param modifiedMs when it was made or opened again, or last synced, milliseconds since 1970
   * @param isRecovering whether it is to be closed without its writer
   */
  public record Entry(
      String path,
      String clientName,
      String clientMachine,
      long modifiedMs,
      long lengthBytes,
      int blocks,
      boolean isRecovering) {}

  @Override
  public Page run(Tree tree) {
    List<Entry> entries = new ArrayList<>();
    KeyRange range =
        KeyRange.ofTable(NamespaceKeys.OPEN_FILES)
            .startingAfter(NamespaceKeys.openFile(Math.max(0, afterId)).bytes());
    int seen = 0;
    long lastId = 0;
    try (Scan rows = tree.transaction().unguarded().scan(range)) {
      while (rows.hasNext()) {
        if (entries.size() == limit || seen == most) {
          return new Page(entries, lastId);
        }
        Row row = rows.next();
        lastId = NamespaceKeys.idOf(row.key());
        seen++;
        Entry entry = entry(tree.peekPath(lastId), OpenFile.decode(row.value()));
        if (entry != null) {
          entries.add(entry);
        }
      }
    }
    return new Page(entries, 0);
  }

  private @Nullable Entry entry(@Nullable PeekedPath peeked, OpenFile row) {
    if (peeked == null
        || !peeked.path().contains(part)
        || !(peeked.inode() instanceof FileInode file)
        || !file.isUnderConstruction()) {
      return null;
    }
    return new Entry(
        peeked.path(),
        row.clientName(),
        file.leaseHolder().clientMachine(),
        file.attributes().modificationTimeMs(),
        file.lengthBytes(),
        file.blocks().size(),
        row.isRecovering());
  }
}
