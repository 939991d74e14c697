package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Table;
import io.acaciafs.kv.engine.Snapshots;
import io.acaciafs.kv.hbase.admin.TableSnapshots;
import io.acaciafs.kv.hbase.commit.CommitRunner;

/** Snapshots of an open store. */
final class HBaseSnapshots implements Snapshots {
  private final CommitRunner commits;
  private final Runnable recover;
  private final TableSnapshots table;

  /**
   * @param recover finishes what transactions of dead processes left
   */
  HBaseSnapshots(CommitRunner commits, Runnable recover, TableSnapshots table) {
    this.commits = commits;
    this.recover = recover;
    this.table = table;
  }

  @Override
  public void prepare() {
    table.flush();
  }

  @Override
  public boolean pause(long patienceMs, Table exempt) throws InterruptedException {
    return commits.pause(patienceMs, exempt);
  }

  @Override
  public void resume() {
    commits.resume();
  }

  @Override
  public void take(String name) {
    recover.run();
    table.take(name);
  }

  @Override
  public void remove(String name) {
    table.remove(name);
  }
}
