package io.acaciafs.kv.hbase;

import io.acaciafs.kv.BufferedTransaction;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Sighting;
import io.acaciafs.kv.WriteSet;
import java.util.concurrent.CompletableFuture;

/** Remembers what is read and written until the store commits it. */
final class HBaseTransaction extends BufferedTransaction {
  private final HBaseStore store;
  private final Guards guards = new Guards();

  HBaseTransaction(HBaseStore store) {
    super(store);
    this.store = store;
  }

  @Override
  public byte[] get(Key key) {
    return see(key).value();
  }

  @Override
  public Sighting see(Key key) {
    HBaseSighting sighting = store.see(key);
    guards.add(key, new Guards.Seen(sighting.state(), false));
    return sighting;
  }

  @Override
  public boolean assume(Sighting sighting) {
    HBaseSighting seen = (HBaseSighting) sighting;
    boolean holds = store.mayAssume(seen);
    if (holds) {
      guards.add(seen.key(), new Guards.Seen(seen.state(), true));
    }
    return holds;
  }

  @Override
  public void assumeAbsent(Key key) {
    guards.add(key, new Guards.Seen(RowState.ABSENT, true));
  }

  @Override
  public void require(Key key) {
    guards.require(key);
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return store.commit(guards, writes);
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return store.validate(guards);
  }
}
