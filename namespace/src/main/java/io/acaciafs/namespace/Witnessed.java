package io.acaciafs.namespace;

import io.acaciafs.kv.Evidence;
import java.io.IOException;

/**
 * What an operation found, with what that rests on.
 *
 * @param evidence null where the engine has none
 */
public record Witnessed<T>(T value, Evidence evidence) {
  /** The same operation with evidence for its result. */
  static <T> ReadOperation<Witnessed<T>> of(ReadOperation<T> operation) {
    return new ReadOperation<>() {
      @Override
      public Witnessed<T> run(Tree tree) throws IOException {
        Evidence evidence = tree.transaction().gatherEvidence();
        return new Witnessed<>(operation.run(tree), evidence);
      }
    };
  }
}
