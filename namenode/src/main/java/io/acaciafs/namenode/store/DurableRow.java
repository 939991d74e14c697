package io.acaciafs.namenode.store;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Writes one row for a command that waits for it. Stateless. */
public final class DurableRow {
  private static final long PATIENCE_S = 60;

  private DurableRow() {}

  /**
   * Returns when it is durable.
   *
   * @param failure a sentence for people
   * @throws StoreException with that sentence, when it could not be written in time
   */
  public static void put(Store store, Key key, byte[] value, String failure) throws IOException {
    Transaction transaction = store.begin();
    transaction.put(key, value);
    try {
      transaction.commit().get(PATIENCE_S, TimeUnit.SECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new StoreException(failure, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while the store was written");
    }
  }
}
