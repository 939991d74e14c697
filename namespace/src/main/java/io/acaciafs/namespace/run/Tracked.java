package io.acaciafs.namespace.run;

import io.acaciafs.kv.GuardedReader;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The result of an operation, with the rows that it depends on. Valid while the operation runs: a
 * reply made from it is of the same moment.
 *
 * @param readSet null where the engine has none
 * @param reader reads further rows for the reply; these reads count as reads of the operation
 */
public record Tracked<T>(@Nullable T value, @Nullable ReadSet readSet, Reader reader) {
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
        ReadTracking tracking = tree.transaction().readTracking();
        ReadSet readSet = tracking == null ? null : tracking.trackReads();
        T value = operation.run(tree);
        return use.apply(new Tracked<>(value, readSet, readerFor(tree)));
      }
    };
  }

  private static Reader readerFor(Tree tree) {
    if (tree.readViewInUse() != null) {
      return tree.readViewInUse();
    }
    Reader ahead = tree.transaction().remoteReads().prefetched();
    return ahead == null ? new GuardedReader(tree.transaction()) : ahead;
  }
}
