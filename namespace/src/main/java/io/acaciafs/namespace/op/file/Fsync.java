package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.common.FileSizes;
import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.ResolvedPath;
import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.NamespaceOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;

/**
 * Notes how much of the last block its writer has made durable; the length only grows.
 *
 * @param fileId 0 from clients that know none
 * @param lastBlockLengthBytes not positive: unknown
 */
public record Fsync(String path, long fileId, String clientName, long lastBlockLengthBytes)
    implements NamespaceOperation<Void> {
  @Override
  public Void run(Tree tree) throws IOException {
    ResolvedPath resolved = tree.resolve(path, fileId);
    FileInode file = Files.requireLease(tree, resolved, fileId, clientName);
    FileBlock last = file.lastBlock();
    if (last != null && lastBlockLengthBytes > last.lengthBytes()) {
      long lengthBytes = FileSizes.blockLength(lastBlockLengthBytes);
      tree.update(resolved, file.withLastBlock(last.withLengthBytes(lengthBytes)));
    }
    return null;
  }
}
