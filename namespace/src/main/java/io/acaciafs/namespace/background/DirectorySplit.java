package io.acaciafs.namespace.background;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.directory.SplitCandidates.Candidate;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.DirectoryCounters;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.SplitJob;
import io.acaciafs.namespace.tree.Tree;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Divides a bucket of a directory in two while it is in use: one transaction says so in the
 * directory's inode and header, and leaves a job; some move entries, a slice each; the last says
 * that the new bucket is filled. Anybody can go on where another died.
 *
 * <p>An operation in the directory conflicts with the first and the last of them, as it guards the
 * directory's inode, and with a slice only where that moves the very entry that it guards. What is
 * created in between is created in the new bucket, so no slice misses anything. All guard the way
 * from the root, and so leave directories alone that were deleted. Used by one thread, as its
 * transaction.
 */
public final class DirectorySplit {
  private static final byte[] NO_NAME = {};
  private static final int MOVES_PER_TRANSACTION = 256;
  private static final int ROWS_PER_TRANSACTION = 2048;

  private final Tree tree;
  private final Transaction transaction;

  public DirectorySplit(Tree tree) {
    this.tree = tree;
    this.transaction = tree.transaction();
  }

  /**
   * Begins to divide a bucket, if it has more entries than acacia.directory.split.threshold.
   *
   * @return whether it does; false as well while another bucket of the directory is divided
   */
  public boolean begin(Candidate candidate) {
    ResolvedPath path = tree.resolve(candidate.directoryId());
    if (path == null
        || !(path.inode() instanceof DirectoryInode directory)
        || !directory.buckets().isDivisible(candidate.bucket())
        || !isTooLarge(directory, candidate.bucket())) {
      return false;
    }
    Buckets divided = directory.buckets().divide(candidate.bucket());
    tree.setBuckets(path, directory, divided);
    SplitJob job = new SplitJob(directory.id(), divided.filling(), NO_NAME);
    transaction.put(NamespaceKeys.splitJob(directory.id()), job.encode());
    return true;
  }

  private boolean isTooLarge(DirectoryInode directory, int bucket) {
    long threshold = tree.settings().directories().splitThreshold();
    byte[] row = transaction.unguarded().get(NamespaceKeys.counters(directory.locator(), bucket));
    return threshold > 0 && DirectoryCounters.decode(row).entries() > threshold;
  }

  /**
   * Moves some entries.
   *
   * @return null while there are more to move; at the end the buckets to look at again
   */
  public @Nullable List<Candidate> go(long directoryId) {
    Key jobKey = NamespaceKeys.splitJob(directoryId);
    byte[] row = transaction.get(jobKey);
    if (row == null) {
      return List.of();
    }
    SplitJob job = SplitJob.decode(row);
    ResolvedPath path = tree.resolve(directoryId);
    if (path == null
        || !(path.inode() instanceof DirectoryInode directory)
        || directory.buckets().filling() != job.filling()) {
      transaction.delete(jobKey); // it was deleted, or emptied and given other buckets
      return List.of();
    }
    byte[] reached = move(directory, job.reached());
    if (reached != null) {
      transaction.put(jobKey, new SplitJob(directoryId, job.filling(), reached).encode());
      return null;
    }
    Buckets buckets = directory.buckets();
    tree.setBuckets(path, directory, buckets.filled());
    return List.of(
        new Candidate(directoryId, buckets.emptying()),
        new Candidate(directoryId, buckets.filling()));
  }

  /** Null when all is done. */
  private byte @Nullable [] move(DirectoryInode directory, byte[] startAfter) {
    Buckets buckets = directory.buckets();
    int moved = 0;
    byte[] reached = startAfter;
    KeyRange range =
        NamespaceKeys.entriesBehind(directory.locator(), buckets.emptying(), startAfter);
    boolean isDone = true;
    try (Scan scan = transaction.unguarded().scan(range, ROWS_PER_TRANSACTION)) {
      for (int rows = 0; scan.hasNext(); rows++) {
        if (rows == ROWS_PER_TRANSACTION || moved == MOVES_PER_TRANSACTION) {
          isDone = false;
          break;
        }
        reached = NamespaceKeys.nameOf(scan.next().key());
        if (buckets.of(reached) == buckets.filling() && move(directory, buckets, reached)) {
          moved++;
        }
      }
    }
    if (moved > 0) {
      count(directory, buckets.emptying(), -moved);
      count(directory, buckets.filling(), moved);
    }
    return isDone ? null : reached;
  }

  /**
   * @return false when the entry is gone
   */
  private boolean move(DirectoryInode directory, Buckets buckets, byte[] name) {
    Key from = key(directory, buckets.emptying(), name);
    byte[] row = transaction.get(from);
    if (row == null) {
      return false;
    }
    transaction.put(key(directory, buckets.filling(), name), row);
    transaction.delete(from);
    return true;
  }

  private static Key key(DirectoryInode directory, int bucket, byte[] name) {
    return NamespaceKeys.entry(directory.locator(), bucket, name);
  }

  private void count(DirectoryInode directory, int bucket, int entries) {
    transaction.add(
        NamespaceKeys.counters(directory.locator(), bucket), DirectoryCounters.moved(entries));
  }
}
