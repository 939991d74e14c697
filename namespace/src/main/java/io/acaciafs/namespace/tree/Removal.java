package io.acaciafs.namespace.tree;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.context.CommitNotes;
import io.acaciafs.namespace.context.OperationContext;
import io.acaciafs.namespace.quota.QuotaLedger;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.record.Inode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SweepJob;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What follows from the loss of an entry: the blocks of a file go, and what is below a directory is
 * left to many small transactions. Used by one thread, as its transaction.
 */
public final class Removal {
  /** Its own, and with three replicas their index and what tells the DataNodes to delete them. */
  private static final int ROWS_OF_A_BLOCK = 7;

  private final OperationContext context;
  private final QuotaLedger quotas;
  private final CommitNotes notes;
  private final Transaction transaction;

  Removal(OperationContext context, QuotaLedger quotas, CommitNotes notes) {
    this.context = context;
    this.quotas = quotas;
    this.notes = notes;
    this.transaction = context.transaction();
  }

  /** Forgets an inode whose entry is gone. */
  void release(Inode inode) {
    transaction.deleteIndex(NamespaceKeys.inode(inode.id()));
    if (inode instanceof FileInode file) {
      if (file.isUnderConstruction()) {
        transaction.deleteIndex(NamespaceKeys.openFile(file.id()));
      }
      if (!file.blocks().isEmpty()) {
        context.blocks().remove(transaction, file.blocks());
      }
    } else if (inode instanceof DirectoryInode removed) {
      transaction.put(
          NamespaceKeys.job(context.nextJobId()),
          new SweepJob(removed.id(), removed.locator(), removed.buckets()).encode());
      if (removed.features().quota().isSet()) {
        quotas.end(removed);
      }
    }
  }

  /**
   * Removes entries of a directory that left the tree, from one key on.
   *
   * @param startAfter the last row that was removed before; null begins at the first
   * @param maxRows about how many rows to remove; a file counts for its blocks as well
   * @return the last row removed now; null when nothing is left and all rows are gone
   */
  public @Nullable Key sweep(SweepJob job, @Nullable Key startAfter, int maxRows) {
    int rows = 0;
    Key last = startAfter;
    for (int bucket : job.buckets().numbers()) {
      if (startAfter != null && bucket < NamespaceKeys.bucketOf(startAfter)) {
        continue;
      }
      KeyRange range = NamespaceKeys.entries(job.locator(), bucket);
      if (last != null && NamespaceKeys.bucketOf(last) == bucket) {
        range = range.startingAfter(last.bytes());
      }
      try (Scan scan = transaction.unguarded().scan(range)) {
        while (scan.hasNext()) {
          if (rows >= maxRows && last != startAfter) {
            return last;
          }
          Row row = scan.next();
          Inode inode = Objects.requireNonNull(context.inodeOf(row.value()), "the row is there");
          transaction.delete(row.key());
          notes.losesName(row.key(), inode);
          release(inode);
          last = row.key();
          rows += inode instanceof FileInode file ? 1 + ROWS_OF_A_BLOCK * file.blocks().size() : 1;
        }
      }
      transaction.delete(NamespaceKeys.counters(job.locator(), bucket));
      rows++;
    }
    if (!job.buckets().isOne()) {
      transaction.delete(NamespaceKeys.header(job.locator()));
      transaction.delete(NamespaceKeys.splitJob(job.directoryId()));
    }
    return null;
  }
}
