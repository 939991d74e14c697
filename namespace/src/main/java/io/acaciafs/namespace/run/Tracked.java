package io.acaciafs.namespace.run;

import io.acaciafs.kv.GuardedReader;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.function.Function;

/**
 * The result of an operation, with the rows that it depends on. Valid while the operation runs: a
 * reply made from it is of the same moment.
 *
 * @param readSet null where the engine has none
 * @param reader reads further rows for the reply; these reads count as reads of the operation
 */
public record Tracked<T>(T value, ReadSet readSet, Reader reader) {
  /**
   * The same operation with what is made of its result, of one moment with it.
   *
   * @param use may be called several times
   */
  public static <T, R> ReadOperation<R> of(
      ReadOperation<T> operation, Function<Tracked<T>, R> use) {
    return new ReadOperation<>() {
      @Override
      public R run(Tree tree) throws IOException {
        ReadSet readSet = tree.transaction().trackReads();
        T value = operation.run(tree);
        return use.apply(new Tracked<>(value, readSet, readerFor(tree)));
      }
    };
  }

  private static Reader readerFor(Tree tree) {
    if (tree.besides() != tree.transaction()) {
      return tree.besides();
    }
    Reader ahead = tree.transaction().rowsAhead();
    return ahead == null ? new GuardedReader(tree.transaction()) : ahead;
  }
}
