package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** As {@link GetFileInfo} for a caller that is going to be told where the blocks of a file are. */
public record GetLocatedFileInfo(String path) implements ReadOperation<InodeStatus> {
  @Override
  public @Nullable InodeStatus run(Tree tree) throws IOException {
    InodeStatus status = new GetFileInfo(path).run(tree);
    if (status != null && status.inode() instanceof FileInode file) {
      tree.readAhead(file, file::blocks);
    }
    return status;
  }
}
