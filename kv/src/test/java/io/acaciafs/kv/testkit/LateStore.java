package io.acaciafs.kv.testkit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Session;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;

/**
 * A store as one process reaches it over a network: what it commits may be held up on the way, and
 * comes to nothing once the process is fenced off.
 */
public final class LateStore implements Store {
  private static final Method COMMIT = Methods.named(Transaction.class, "commit");
  private static final Method SETTLE = Methods.named(Session.class, "settle");

  private final Store store;
  private final Deque<Runnable> onTheWay = new ArrayDeque<>();
  private final CompletableFuture<Void> arrived = new CompletableFuture<>();
  private boolean holdsUp;
  private boolean isGivenUp;
  private boolean isFencedOff;
  private boolean isEnding;

  public LateStore(Store store) {
    this.store = store;
  }

  /** The next commit that writes stays on its way until it is delivered. */
  public synchronized void holdUpNext() {
    holdsUp = true;
  }

  /** The same, and who commits is told at once that nobody knows what became of it. */
  public synchronized void giveUpNext() {
    holdsUp = true;
    isGivenUp = true;
  }

  public synchronized boolean isHeldUp() {
    return !onTheWay.isEmpty();
  }

  /** What is on its way arrives. */
  public void deliver() {
    Runnable next;
    synchronized (this) {
      next = onTheWay.remove();
    }
    next.run();
    arrived.complete(null);
  }

  /** Others do it. */
  public synchronized void fenceOff() {
    isFencedOff = true;
  }

  /** From now on it does not wait for what is on its way. */
  public synchronized void beginToEnd() {
    isEnding = true;
  }

  @Override
  public Session session() {
    return (Session)
        Proxy.newProxyInstance(
            Session.class.getClassLoader(),
            new Class<?>[] {Session.class},
            (proxy, method, arguments) ->
                method.equals(SETTLE) ? settle() : method.invoke(store.session(), arguments));
  }

  private synchronized CompletableFuture<Void> settle() {
    if (isEnding) {
      throw new StoreException("The store is closed");
    }
    return isHeldUp() ? arrived : CompletableFuture.completedFuture(null);
  }

  private CompletableFuture<Void> commit(Transaction transaction) {
    CompletableFuture<Void> answer = new CompletableFuture<>();
    synchronized (this) {
      if (!holdsUp || !transaction.hasWrites()) {
        return arrive(transaction);
      }
      holdsUp = false;
      onTheWay.add(
          () ->
              arrive(transaction)
                  .whenComplete(
                      (nothing, failure) -> {
                        if (failure == null) {
                          answer.complete(null);
                        } else {
                          answer.completeExceptionally(failure);
                        }
                      }));
    }
    return isGivenUp ? failed("Nobody knows what became of a commit") : answer;
  }

  private synchronized CompletableFuture<Void> arrive(Transaction transaction) {
    return isFencedOff && transaction.hasWrites()
        ? failed("It was fenced off")
        : transaction.commit();
  }

  private static CompletableFuture<Void> failed(String reason) {
    return CompletableFuture.failedFuture(new StoreException(reason));
  }

  @Override
  public Transaction begin() {
    Transaction transaction = store.begin();
    return (Transaction)
        Proxy.newProxyInstance(
            Transaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, method, arguments) -> {
              try {
                return method.equals(COMMIT)
                    ? commit(transaction)
                    : method.invoke(transaction, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Override
  public Transaction beginNonBlocking() {
    return store.beginNonBlocking(); // which commits nothing
  }

  @Override
  public Traits traits() {
    return store.traits();
  }

  @Override
  public byte[] get(Key key) {
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
