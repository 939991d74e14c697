package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryEntry;
import java.io.IOException;
import java.util.List;

/**
 * Lets one call take effect once. Its answer is kept in the transaction that does what it asks for,
 * in the partition of the deepest directory on its path that was there before; it is written as a
 * unique insert, so that an attempt that is still under way and its repetition cannot both succeed.
 *
 * <p>A repetition may find more directories on the path, made by the attempt before, and so looks
 * into all of them. Where it makes directories itself, it leaves its answer in the deepest as well:
 * the first attempt, if it comes late, looks only there.
 */
final class RetryEntries {
  /** Ends the run of an operation that took effect before. */
  private static final class AnsweredException extends RuntimeException {
    private final long answer;

    private AnsweredException(long answer) {
      super(null, null, false, false);
      this.answer = answer;
    }
  }

  private final Transaction transaction;
  private final CallId call;
  private DirectoryInode place;

  private RetryEntries(Transaction transaction, CallId call) {
    this.transaction = transaction;
    this.call = call;
  }

  /** Runs an operation, unless an attempt of the same call has taken effect. */
  static <T> T runOnce(AtMostOnce<T> operation, Tree tree, CallId call) throws IOException {
    RetryEntries entries = new RetryEntries(tree.transaction(), call);
    tree.onFirstPath(entries::look);
    try {
      T result = operation.run(tree);
      Long answer = operation.answer(result);
      if (answer != null && entries.place != null) {
        entries.keep(entries.place, answer, tree.nowMs());
        if (call.retryCount() != 0 && tree.newestDirectory() != null) {
          entries.keep(tree.newestDirectory(), answer, tree.nowMs());
        }
      }
      return result;
    } catch (AnsweredException answered) {
      return operation.repeat(tree, answered.answer);
    }
  }

  /** Sees the path of the operation before the operation does. */
  private void look(ResolvedPath path) {
    List<DirectoryInode> directories =
        path.inodes().stream()
            .limit(Math.max(1, path.names().size()))
            .filter(DirectoryInode.class::isInstance)
            .map(DirectoryInode.class::cast)
            .toList();
    if (directories.isEmpty()) {
      return;
    }
    place = directories.get(directories.size() - 1);
    for (DirectoryInode directory : call.retryCount() == 0 ? List.of(place) : directories) {
      byte[] row = transaction.get(key(directory));
      if (row != null) {
        throw new AnsweredException(RetryEntry.decode(row).answer());
      }
    }
  }

  private void keep(DirectoryInode directory, long answer, long nowMs) {
    Key key = key(directory);
    transaction.writeBefore(NamespaceKeys.retryTime(nowMs, key), new byte[0]);
    transaction.put(key, new RetryEntry(answer).encode());
  }

  private Key key(DirectoryInode directory) {
    return NamespaceKeys.retry(directory.locator(), call.clientId(), call.callId());
  }
}
