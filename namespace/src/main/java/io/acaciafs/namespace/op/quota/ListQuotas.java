package io.acaciafs.namespace.op.quota;

import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.namespace.path.PeekedPath;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.Quota;
import io.acaciafs.namespace.record.QuotaCounts;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.util.ArrayList;
import java.util.List;

/**
 * Some of the directories that have a quota, in the order of their inode ids. Guards nothing and
 * asks for no permission.
 *
 * @param afterId inode id of the last one of the page before; 0 for the first page
 * @param limit directories that are looked at
 */
public record ListQuotas(long afterId, int limit) implements ReadOperation<ListQuotas.Page> {
  /**
   * @param nextAfterId for the next page; 0: there is none
   */
  public record Page(List<Entry> entries, long nextAfterId) {}

  /** A directory, its limits, and what is used of them. */
  public record Entry(String path, Quota quota, QuotaCounts used) {}

  @Override
  public Page run(Tree tree) {
    List<Entry> entries = new ArrayList<>();
    KeyRange range =
        KeyRange.ofTable(NamespaceKeys.QUOTAS)
            .startingAfter(NamespaceKeys.quotaUsage(Math.max(0, afterId)).bytes());
    int seen = 0;
    long lastId = 0;
    try (Scan rows = tree.transaction().unguarded().scan(range)) {
      while (rows.hasNext()) {
        if (seen == limit) {
          return new Page(entries, lastId);
        }
        Row row = rows.next();
        lastId = NamespaceKeys.idOf(row.key());
        seen++;
        PeekedPath peeked = tree.peekPath(lastId);
        if (peeked != null
            && peeked.inode() instanceof DirectoryInode directory
            && directory.features().quota().isSet()) {
          entries.add(
              new Entry(
                  peeked.path(), directory.features().quota(), QuotaCounts.decode(row.value())));
        }
      }
    }
    return new Page(entries, 0);
  }
}
