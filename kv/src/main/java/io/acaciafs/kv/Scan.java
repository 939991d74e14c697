package io.acaciafs.kv;

import java.util.Iterator;

/**
 * Rows of a range in key order, read in bounded memory. Each row is as it was committed at some
 * moment of the scan; an engine may show one moment for all. Used by one thread, and closed by it.
 *
 * <p>{@code hasNext} and {@code next} throw {@link StoreException} when the store cannot be read.
 */
public interface Scan extends Iterator<Row>, AutoCloseable {
  @Override
  void close();

  /** Its first rows will be wanted soon: an engine far away may be asked for them now. */
  default void readAhead() {}

  /**
   * Whether all rows that it has shown are of one moment since its begin, and would not have been
   * others then: none came into the range that it has passed, or went. False where that is not
   * certain.
   */
  default boolean isOfOneMoment() {
    return false;
  }

  /**
   * Shows the rows that are left to a visitor until it wants no more, without an object for each.
   * The visitor may read the store, but not this scan.
   *
   * @throws StoreException when the store cannot be read
   */
  default <E extends Exception> void forEachRow(RowVisitor<E> visitor) throws E {
    RowView view = new RowView();
    boolean wantsMore = true;
    while (wantsMore && hasNext()) {
      Row row = next();
      byte[] key = row.key().bytes();
      view.showKey(key, 0, key.length);
      view.showValue(row.value(), 0, row.value().length);
      wantsMore = visitor.visit(view);
    }
  }
}
