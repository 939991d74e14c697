package io.acaciafs.namespace.op;

import io.acaciafs.namespace.InodeStatus;
import io.acaciafs.namespace.ReadOperation;
import io.acaciafs.namespace.Tree;
import io.acaciafs.namespace.record.FileInode;
import java.io.IOException;

/** As {@link GetFileInfo} for who is going to be told where the blocks of a file are. */
public record GetLocatedFileInfo(String path) implements ReadOperation<InodeStatus> {
  @Override
  public InodeStatus run(Tree tree) throws IOException {
    InodeStatus status = new GetFileInfo(path).run(tree);
    if (status != null && status.inode() instanceof FileInode file) {
      tree.readAhead(file, file::blocks);
    }
    return status;
  }
}
