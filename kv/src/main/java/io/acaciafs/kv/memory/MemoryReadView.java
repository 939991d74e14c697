package io.acaciafs.kv.memory;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import java.util.Iterator;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/** A copy of all rows, of one moment. */
record MemoryReadView(NavigableMap<Key, byte[]> rows) implements Reader {
  @Override
  public byte @Nullable [] get(Key key) {
    byte[] value = rows.get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public Scan scan(KeyRange range) {
    Iterator<Row> all =
        rows.tailMap(new Key(range.table(), range.from()), true).entrySet().stream()
            .takeWhile(row -> range.contains(row.getKey()))
            .map(row -> new Row(row.getKey(), row.getValue().clone()))
            .iterator();
    return new Scan() {
      @Override
      public boolean hasNext() {
        return all.hasNext();
      }

      @Override
      public Row next() {
        return all.next();
      }

      @Override
      public boolean isOfOneMoment() {
        return true;
      }

      @Override
      public void close() {}
    };
  }
}
