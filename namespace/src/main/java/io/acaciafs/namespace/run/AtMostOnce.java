package io.acaciafs.namespace.run;

import io.acaciafs.namespace.tree.Tree;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * An operation that must not take effect twice: a repetition of the call, after its reply was lost,
 * gets the first answer. HDFS marks most of these calls {@code @AtMostOnce}; what it calls
 * idempotent is here too where it would undo what others have done since.
 *
 * @param <T> its result
 */
public interface AtMostOnce<T> extends NamespaceOperation<T> {
  /** What is kept of the result for a repetition; null when nothing took effect. */
  @Nullable Long answer(@Nullable T result);

  /** The result again, from what was kept. */
  T repeat(Tree tree, long answer) throws IOException;

  /** One that answers nothing but that it is done. */
  interface Done extends AtMostOnce<Void> {
    @Override
    default Long answer(@Nullable Void result) {
      return 0L;
    }

    @Override
    default Void repeat(Tree tree, long answer) {
      return null;
    }
  }

  /** One that answers true or false, and may have done something either way, or null. */
  interface Verdict extends AtMostOnce<Boolean> {
    @Override
    default @Nullable Long answer(@Nullable Boolean result) {
      return result == null ? null : (Long) (result ? 1L : 0L);
    }

    @Override
    default Boolean repeat(Tree tree, long answer) {
      return answer != 0;
    }
  }

  /** One that answers true when it took effect, and false when there was nothing to do. */
  interface Success extends AtMostOnce<Boolean> {
    @Override
    default @Nullable Long answer(@Nullable Boolean result) {
      return Boolean.TRUE.equals(result) ? 1L : null;
    }

    @Override
    default Boolean repeat(Tree tree, long answer) {
      return true;
    }
  }
}
