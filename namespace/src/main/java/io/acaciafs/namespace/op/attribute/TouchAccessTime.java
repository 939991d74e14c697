package io.acaciafs.namespace.op.attribute;

import io.acaciafs.kv.value.Saturated;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;

/**
 * Notes that a file was read, unless that was noted within dfs.namenode.accesstime.precision. Runs
 * behind the reader's back: a file that is gone is no error.
 */
public record TouchAccessTime(long fileId) implements NamespaceOperation<Void> {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath path = tree.resolve(fileId);
    if (path != null
        && path.inode() instanceof FileInode file
        && dueInMs(file, tree.settings().accessTimePrecisionMs(), tree.nowMs()) <= 0) {
      tree.update(path, file.with(file.attributes().withAccessTimeMs(tree.nowMs())));
    }
    return null;
  }

  /**
   * When a file that is read is to be noted: not positive, now.
   *
   * @param precisionMs 0: access times are not kept
   */
  public static long dueInMs(FileInode file, long precisionMs, long nowMs) {
    return precisionMs > 0
        ? Saturated.add(file.attributes().accessTimeMs() - nowMs, Saturated.add(precisionMs, 1))
        : Long.MAX_VALUE;
  }
}
