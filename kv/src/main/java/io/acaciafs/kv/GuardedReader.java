package io.acaciafs.kv;

import org.jspecify.annotations.Nullable;

/**
 * Guards each row that it reads; no scan is guarded. Used by one thread, as its transaction.
 *
 * @param transaction which has not ended
 */
public record GuardedReader(Transaction transaction) implements Reader {
  @Override
  public byte @Nullable [] get(Key key) {
    return transaction.get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return transaction.unguarded().scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    return transaction.unguarded().scan(range, rows);
  }
}
