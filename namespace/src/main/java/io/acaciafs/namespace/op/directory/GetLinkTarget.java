package io.acaciafs.namespace.op.directory;

import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.record.SymlinkInode;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.InodeStatus;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.hdfs.protocol.UnresolvedPathException;

/**
 * Where a path leads: the target of the symbolic link at its end, as it is stored; or, when there
 * is a link on the way, the path with that one link replaced. So a client that met a link anywhere
 * in a path asks this and goes on with the answer. Source: NameNodeRpcServer of HDFS.
 */
public record GetLinkTarget(String path) implements ReadOperation<String> {
  /**
   * @throws FileNotFoundException when there is nothing
   * @throws IOException when there is no link
   */
  @Override
  public String run(Tree tree) throws IOException {
    InodeStatus status;
    try {
      status = new GetFileInfo(path, PathUse.READ_LINK).run(tree);
    } catch (UnresolvedPathException e) {
      return e.getResolvedPath().toString();
    }
    if (status == null) {
      throw new FileNotFoundException("File does not exist: " + path);
    }
    if (status.inode() instanceof SymlinkInode link) {
      return link.target();
    }
    throw new IOException("Path " + path + " is not a symbolic link");
  }
}
