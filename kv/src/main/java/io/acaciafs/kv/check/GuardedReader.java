package io.acaciafs.kv.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;

/** Guards each row that it reads; no scan is guarded. */
record GuardedReader(Transaction transaction) implements Reader {
  @Override
  public byte[] peek(Key key) {
    return transaction.get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return transaction.scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    return transaction.scan(range, rows);
  }
}
