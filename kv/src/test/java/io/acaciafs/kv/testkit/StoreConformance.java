package io.acaciafs.kv.testkit;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Every rule of the store contract. An engine extends it and says how it opens and ends. */
public abstract class StoreConformance
    implements ReadRules,
        ScanRules,
        GuardRules,
        VersionedRowRules,
        ReadSetRules,
        MomentRules,
        WriteRules,
        CounterRules,
        IndexRules,
        LifeRules,
        HistoryRules,
        CrashRules {
  private Store store;

  /** Opens a store that is empty. Called once a test. */
  protected abstract Store open(Set<Table> tables) throws Exception;

  /** Closes a store and opens what it keeps. */
  @Override
  public abstract Store reopen(Store old) throws Exception;

  /**
   * Runs the workload on a store with its tables and ends it without warning, the way the engine's
   * process ends when it is killed, after some hundred acknowledgements at least. The store is
   * another than the one of {@link #open}, which stays open.
   */
  @Override
  public abstract AfterCrash crash(CrashWorkload workload) throws Exception;

  @BeforeEach
  void openStore() throws Exception {
    store = open(Rows.TABLES);
  }

  @AfterEach
  void closeStore() {
    if (store != null) {
      store.close();
    }
  }

  @Override
  public final Store store() {
    return store;
  }

  @Override
  public final void use(Store reopened) {
    store = reopened;
  }
}
