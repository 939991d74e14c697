package io.acaciafs.namespace.op.block;

import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.List;

/**
 * Takes back the last block of a file that is being written. Does nothing when it is not the last
 * one (any more), so a repeated call does no harm.
 *
 * @param fileId 0 from clients that know none
 */
public record AbandonBlock(String path, long fileId, String clientName, long blockId)
    implements NamespaceOperation<Void> {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, fileId);
    FileInode file = Files.requireLease(tree, resolved, fileId, clientName);
    FileBlock last = file.lastBlock();
    if (last != null && last.id() == blockId) {
      tree.update(resolved, file.withoutLastBlock());
      tree.blocks().remove(tree.transaction(), List.of(last));
    }
    return null;
  }
}
