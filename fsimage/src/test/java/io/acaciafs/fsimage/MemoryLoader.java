package io.acaciafs.fsimage;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

/** Fills a store in memory as RocksDB's loader fills its own. */
final class MemoryLoader implements BulkLoader {
  private final MemoryStore store;
  private final Map<Table, Collection<Row>> rows = new ConcurrentHashMap<>();

  MemoryLoader(MemoryStore store) {
    this.store = store;
  }

  @Override
  public Run begin(Table table) {
    return new Run() {
      private final List<Row> run = new ArrayList<>();

      @Override
      public void add(Key key, byte[] value) {
        if (!run.isEmpty() && run.get(run.size() - 1).key().compareTo(key) >= 0) {
          throw new StoreException("Not in order: " + key);
        }
        run.add(new Row(key, value));
      }

      @Override
      public void close() {
        rows.computeIfAbsent(table, none -> new ConcurrentLinkedQueue<>()).addAll(run);
      }
    };
  }

  @Override
  public void finish(Table table) {
    Transaction tx = store.begin();
    rows.getOrDefault(table, List.of()).forEach(row -> tx.put(row.key(), row.value()));
    tx.commit().join();
  }
}
