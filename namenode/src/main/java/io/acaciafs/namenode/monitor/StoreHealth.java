package io.acaciafs.namenode.monitor;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.namespace.Namespace;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a store reads and writes. Safe for use by many threads. */
public final class StoreHealth {
  private static final Logger LOG = LoggerFactory.getLogger(StoreHealth.class);
  private static final String NOT_READ = "Store cannot be read";

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final Store store;

  public StoreHealth(Store store) {
    this.store = store;
  }

  /** Reads one row. */
  public boolean reads() {
    try {
      boolean answered = Namespace.isFormatted(store);
      failures.succeeded(NOT_READ);
      return answered;
    } catch (RuntimeException e) { // whatever it is, that is the answer
      failures.failed(NOT_READ, e);
      return false;
    }
  }

  /** Why it takes no more writes; null: it does. */
  public @Nullable StoreException writeFailure() {
    return store.writeFailure();
  }

  /** Why it is of no use, in words for people; null: it is. Reads one row. */
  public @Nullable String problem() {
    StoreException failure = writeFailure();
    if (failure != null) {
      return "The store of the NameNode has failed: " + failure.getMessage();
    }
    return reads() ? null : "The store of the NameNode cannot be read, see the NameNode's log";
  }
}
