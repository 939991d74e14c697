package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.testkit.AfterCrash;
import io.acaciafs.kv.testkit.CrashWorkload;
import io.acaciafs.kv.testkit.StoreConformance;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.io.TempDir;

class RocksDbStoreConformanceTest extends StoreConformance {
  private static final int ENOUGH = 8_000;

  @TempDir private Path folder;
  private Set<Table> tables;

  @Override
  protected Store open(Set<Table> tables) {
    this.tables = tables;
    return SmallStores.open(folder.resolve("store"), tables);
  }

  @Override
  public Store reopen(Store old) {
    old.close();
    return open(tables);
  }

  /** The workload runs in a process of its own, far enough to have written tables out. */
  @Override
  public AfterCrash crash(CrashWorkload workload) throws Exception {
    Path crashed = folder.resolve("crashed");
    try (Child child = new Child(crashed)) {
      child.awaitAcknowledged(ENOUGH);
      Set<Integer> acknowledged = child.kill();
      return new AfterCrash(SmallStores.open(crashed, CrashWorkload.tables()), acknowledged);
    }
  }
}
