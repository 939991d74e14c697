package io.acaciafs.namespace.run;

import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the tree. It may run several times and has no effect but through the tree.
 *
 * @param <T> its result
 */
@FunctionalInterface
public interface NamespaceOperation<T> {
  /**
   * @throws IOException of the class that an HDFS client expects
   */
  @Nullable T run(Tree tree) throws IOException;
}
