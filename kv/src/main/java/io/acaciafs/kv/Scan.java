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
}
