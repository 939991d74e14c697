package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.BufferedTransaction;
import io.acaciafs.kv.Evidence;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Sighting;
import io.acaciafs.kv.WriteSet;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Remembers what is read and written until the store commits it. */
final class RocksDbTransaction extends BufferedTransaction {
  private final RocksDbStore store;
  private final Guards guards = new Guards();
  private final List<Key> required = new ArrayList<>(2);
  private RocksDbEvidence evidence;

  RocksDbTransaction(RocksDbStore store) {
    super(store);
    this.store = store;
  }

  @Override
  public byte[] get(Key key) {
    return see(key).value();
  }

  @Override
  public Sighting see(Key key) {
    RocksDbSighting sighting = store.see(key);
    guard(sighting);
    return sighting;
  }

  private void guard(RocksDbSighting sighting) {
    guards.add(sighting);
    if (evidence != null) {
      evidence.add(sighting);
    }
  }

  @Override
  public boolean assume(Sighting sighting) {
    RocksDbSighting seen = (RocksDbSighting) sighting;
    boolean holds = store.isCurrent(seen.slot(), seen.version());
    if (holds) {
      guard(seen);
    }
    return holds;
  }

  @Override
  public boolean assumeAbsent(Key key) {
    guard(store.seeNothing(key));
    return true;
  }

  @Override
  public Evidence gatherEvidence() {
    if (evidence == null) {
      evidence = new RocksDbEvidence(store);
      readThrough(evidence);
    }
    return evidence;
  }

  @Override
  public Reader atOneMoment() {
    return new RowsOfMoment(store, evidence);
  }

  @Override
  public Evidence watch(KeyRange range) {
    RocksDbEvidence watched = new RocksDbEvidence(store);
    watched.add(range);
    return watched;
  }

  @Override
  public void require(Key key) {
    required.add(key);
    if (evidence != null) {
      evidence.peek(key);
    }
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
