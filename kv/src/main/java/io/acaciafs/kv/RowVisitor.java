package io.acaciafs.kv;

/**
 * Takes the rows of a {@link Scan} one after the other.
 *
 * @param <E> what ends the walk early
 */
@FunctionalInterface
public interface RowVisitor<E extends Exception> {
  /**
   * @param row valid until this returns
   * @return whether to go on
   */
  boolean visit(RowView row) throws E;
}
