package io.acaciafs.kv.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import org.jspecify.annotations.Nullable;

/** Knows one row already. */
record ReaderWithRow(Reader reader, Row row) implements Reader {
  @Override
  public byte @Nullable [] get(Key key) {
    return row.key().equals(key) ? row.value() : reader.get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return reader.scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    return reader.scan(range, rows);
  }
}
