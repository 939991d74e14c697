package io.acaciafs.kv.memory;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.testkit.AfterCrash;
import io.acaciafs.kv.testkit.CrashWorkload;
import io.acaciafs.kv.testkit.StoreConformance;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The reference passes its own kit. */
class MemoryStoreConformanceTest extends StoreConformance {
  @Override
  protected Store open(Set<Table> tables) {
    return new MemoryStore();
  }

  @Override
  public Store reopen(Store old) {
    old.close();
    return ((MemoryStore) old).crash();
  }

  @Override
  public AfterCrash crash(CrashWorkload workload) {
    MemoryStore store =
        new MemoryStore(
            Faults.seeded(3, Map.of(Fault.DELAY, 0.8, Fault.CRASH_BEFORE_DURABLE, 0.001)));
    Set<Integer> acknowledged = new TreeSet<>();
    workload.run(store, acknowledged::add);
    return new AfterCrash(store.crash(), acknowledged);
  }
}
