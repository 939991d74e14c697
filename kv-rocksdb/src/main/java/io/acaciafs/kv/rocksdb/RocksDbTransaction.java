package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.engine.BufferedTransaction;
import io.acaciafs.kv.engine.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Remembers what is read and written until the store commits it. */
final class RocksDbTransaction extends BufferedTransaction implements ReadTracking {
  private final RocksDbStore store;
  private final Guards guards = new Guards();
  private final List<Key> required = new ArrayList<>(2);

  /** Null where what is visible is never taken back. */
  private final @Nullable UndurableReads undurable;

  private @Nullable RocksDbReadSet readSet;

  RocksDbTransaction(RocksDbStore store) {
    this(store, store.isReplicated() ? new UndurableReads(store) : null);
  }

  private RocksDbTransaction(RocksDbStore store, @Nullable UndurableReads undurable) {
    super(undurable == null ? store : undurable);
    this.store = store;
    this.undurable = undurable;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return getVersioned(key).value();
  }

  @Override
  public VersionedRow getVersioned(Key key) {
    RocksDbVersionedRow versioned = store.getVersioned(key);
    guard(versioned);
    return versioned;
  }

  private void guard(RocksDbVersionedRow versioned) {
    guards.add(versioned);
    if (undurable != null) {
      undurable.note(versioned.key());
    }
    if (readSet != null) {
      readSet.add(versioned);
    }
  }

  @Override
  public boolean guard(VersionedRow versioned) {
    RocksDbVersionedRow seen = (RocksDbVersionedRow) versioned;
    boolean holds = store.isCurrent(seen.slot(), seen.version());
    if (holds) {
      guard(seen);
    }
    return holds;
  }

  @Override
  public boolean guardAbsent(Key key) {
    guard(store.versionedAbsent(key));
    return true;
  }

  @Override
  public ReadTracking readTracking() {
    return this;
  }

  @Override
  public ReadSet trackReads() {
    if (readSet == null) {
      readSet = new RocksDbReadSet(store, undurable);
      readThrough(readSet);
    }
    return readSet;
  }

  @Override
  public Reader readView() {
    return new RocksDbReadView(store, readSet, undurable);
  }

  @Override
  public ReadSet watch(KeyRange range) {
    RocksDbReadSet watched = new RocksDbReadSet(store, undurable);
    watched.add(range);
    return watched;
  }

  @Override
  public void guardExists(Key key) {
    required.add(key);
    if (undurable != null) {
      undurable.note(key);
    }
    if (readSet != null) {
      readSet.get(key);
    }
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return store.commit(guards, required, writes);
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return store.validate(guards, required, sawUndurable());
  }

  private boolean sawUndurable() {
    return undurable != null && undurable.found();
  }
}
