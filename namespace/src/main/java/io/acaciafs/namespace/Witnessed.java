package io.acaciafs.namespace;

import io.acaciafs.kv.Evidence;
import io.acaciafs.kv.Reader;
import java.io.IOException;

/**
 * What an operation found, with what that rests on.
 *
 * @param evidence null where the engine has none
 * @param ahead shows what was read ahead of what the result is going to be told with; or null
 */
public record Witnessed<T>(T value, Evidence evidence, Reader ahead) {
  /** The same operation with evidence for its result. */
  static <T> ReadOperation<Witnessed<T>> of(ReadOperation<T> operation) {
    return new ReadOperation<>() {
      @Override
      public Witnessed<T> run(Tree tree) throws IOException {
        Evidence evidence = tree.transaction().gatherEvidence();
        T value = operation.run(tree);
        return new Witnessed<>(value, evidence, tree.transaction().rowsAhead());
      }
    };
  }
}
