package io.acaciafs.kv.memory;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.engine.BufferedTransaction;
import io.acaciafs.kv.engine.WriteSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A transaction of a {@link MemoryStore}: remembers, and lets the store decide. */
final class MemoryTransaction extends BufferedTransaction {
  private final MemoryStore store;
  private final Map<Key, Long> guards = new HashMap<>();
  private final Set<Key> required = new HashSet<>();

  MemoryTransaction(MemoryStore store) {
    super(store);
    this.store = store;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return store.get(key, guards);
  }

  @Override
  public VersionedRow getVersioned(Key key) {
    return store.getVersioned(key, guards);
  }

  @Override
  public boolean guard(VersionedRow versioned) {
    return store.guard((MemoryVersionedRow) versioned, guards);
  }

  @Override
  public boolean guardAbsent(Key key) {
    return get(key) == null;
  }

  @Override
  public @Nullable Reader readView() {
    return store.readView();
  }

  @Override
  public void guardExists(Key key) {
    required.add(key);
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return store.commit(guards, required, writes);
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return store.validate(guards, required);
  }
}
