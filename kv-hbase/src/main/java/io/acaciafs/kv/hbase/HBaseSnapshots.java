package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Snapshots;

/** Snapshots of an open store. */
final class HBaseSnapshots implements Snapshots {
  private final HBaseStore store;
  private final TableSnapshots table;

  HBaseSnapshots(HBaseStore store, TableSnapshots table) {
    this.store = store;
    this.table = table;
  }

  @Override
  public void prepare() {
    table.flush();
  }

  @Override
  public boolean pause(long patienceMs, Table exempt) throws InterruptedException {
    return store.pause(patienceMs, exempt);
  }

  @Override
  public void resume() {
    store.resume();
  }

  @Override
  public void take(String name) {
    store.recover();
    table.take(name);
  }

  @Override
  public void remove(String name) {
    table.remove(name);
  }
}
