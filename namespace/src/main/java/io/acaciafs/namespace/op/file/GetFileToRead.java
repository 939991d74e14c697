package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.record.FileBlock;
import io.acaciafs.namespace.record.FileInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.fs.permission.FsAction;

/**
 * As {@link GetFile} for a caller that reads the file, and is going to be told where the blocks are
 * that overlap a range.
 *
 * @param offsetBytes not negative
 * @param lengthBytes not negative; may reach beyond the end
 */
public record GetFileToRead(String path, long offsetBytes, long lengthBytes)
    implements ReadOperation<FileInode> {
  @Override
  public FileInode run(Tree tree) throws IOException {
    tree.readAheadWithBlocks(path);
    FileInode file = new GetFile(path, FsAction.READ).run(tree);
    tree.readAhead(file, () -> toldOf(file));
    return file;
  }

  /** The last one is told in any case, as it says how far the file reaches. */
  private Set<FileBlock> toldOf(FileInode file) {
    Set<FileBlock> told = new LinkedHashSet<>();
    file.blocksIn(offsetBytes, lengthBytes).forEach(placed -> told.add(placed.block()));
    if (file.lastBlock() != null) {
      told.add(file.lastBlock());
    }
    return told;
  }
}
