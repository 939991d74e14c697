package io.acaciafs.namenode.token;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store over a network: rows come when a test lets them, to reads that do not wait for them. */
final class SilentStore implements Store {
  private final Store store;
  private volatile @Nullable WouldBlockException missing;

  SilentStore(Store store) {
    this.store = store;
  }

  /** From now on no row comes before this completes. */
  void beSilent(CompletableFuture<Void> arrival) {
    missing = new WouldBlockException(arrival);
  }

  /** From now on rows are locked: only a read that waits gets them. */
  void lockRows() {
    missing = new WouldBlockException();
  }

  @Override
  public Transaction beginNonBlocking() {
    Transaction transaction = store.begin();
    return (Transaction)
        Proxy.newProxyInstance(
            Transaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("get") && isMissing()) {
                throw missing;
              }
              try {
                return method.invoke(transaction, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  private boolean isMissing() {
    WouldBlockException refusal = missing;
    return refusal != null && (refusal.arrival() == null || !refusal.arrival().isDone());
  }

  @Override
  public Transaction begin() {
    return store.begin();
  }

  @Override
  public Traits traits() {
    return new Traits(false, false);
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return store.get(key);
  }

  @Override
  public Scan scan(KeyRange range) {
    return store.scan(range);
  }

  @Override
  public void close() {
    store.close();
  }
}
