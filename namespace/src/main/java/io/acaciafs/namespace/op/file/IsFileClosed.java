package io.acaciafs.namespace.op.file;

import io.acaciafs.namespace.op.common.Files;
import io.acaciafs.namespace.path.PathUse;
import io.acaciafs.namespace.run.ReadOperation;
import io.acaciafs.namespace.tree.Tree;
import java.io.FileNotFoundException;
import java.io.IOException;

/** Whether no client is writing a file. */
public record IsFileClosed(String path) implements ReadOperation<Boolean> {
  /**
   * @throws FileNotFoundException when there is nothing, or a directory
   */
  @Override
  public Boolean run(Tree tree) throws IOException {
    return !Files.require(tree.resolve(path, PathUse.READ), path).isUnderConstruction();
  }
}
