package io.acaciafs.blocks.testkit;

/** For long random histories: what waits for a time does so for a short one. */
public abstract class HistoryTestBase extends RepairTestBase {
  @Override
  protected void configure() {
    conf.setInt("dfs.namenode.heartbeat.recheck-interval", 1000);
    conf.setInt("dfs.namenode.reconstruction.pending.timeout-sec", 20);
    conf.setInt("dfs.namenode.replication.work.multiplier.per.iteration", 4);
    conf.setBoolean("dfs.namenode.redundancy.considerLoad", false);
    conf.setLong("acacia.datanode.invalidate.resend-interval", 10_000);
  }
}
