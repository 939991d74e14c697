package io.acaciafs.kv.memory;

import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WriteSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A transaction of a {@link MemoryStore}: remembers, and lets the store decide. */
final class MemoryTransaction implements Transaction {
  private final MemoryStore store;
  private final Map<Key, Long> guards = new HashMap<>();
  private final Set<Key> required = new HashSet<>();
  private final WriteSet writes = new WriteSet();
  private boolean ended;

  MemoryTransaction(MemoryStore store) {
    this.store = store;
  }

  @Override
  public byte[] get(Key key) {
    return store.get(key, guards);
  }

  @Override
  public byte[] peek(Key key) {
    return store.peek(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return store.scan(range);
  }

  @Override
  public void require(Key key) {
    required.add(key);
  }

  @Override
  public void put(Key key, byte[] value) {
    writes.put(key, value);
  }

  @Override
  public void delete(Key key) {
    writes.delete(key);
  }

  @Override
  public void accumulate(Key key, Counters delta) {
    writes.accumulate(key, delta);
  }

  @Override
  public void writeBefore(Key key, byte[] value) {
    writes.writeBefore(key, value);
  }

  @Override
  public void deleteAfter(Key key) {
    writes.deleteAfter(key);
  }

  @Override
  public CompletableFuture<Void> commit() {
    end();
    return store.commit(guards, required, writes);
  }

  @Override
  public CompletableFuture<Void> validate() {
    end();
    return store.validate(guards, required);
  }

  private void end() {
    if (ended) {
      throw new IllegalStateException("A transaction is committed or validated once");
    }
    ended = true;
  }
}
