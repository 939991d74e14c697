package io.acaciafs.kv;

/** What a transaction offers on an engine that can tell cheaply whether rows have changed. */
public interface ReadTracking {
  /**
   * From now on notes all rows that this transaction reads or guards, but not through a reader that
   * {@link Transaction#unguarded} returned before. Guards nothing by itself; for transactions that
   * only read. More may be read through the read set after the transaction ended.
   *
   * @return the same at each call
   */
  ReadSet trackReads();

  /**
   * A read set by itself, for the rows of a range as they are from now on.
   *
   * @param range in one partition
   */
  ReadSet watch(KeyRange range);
}
