package io.acaciafs.blocks.testkit;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Shows a local store as one whose reads take a network, and counts round trips of reads. What a
 * transaction has prefetched it reads without a guard as it was then, and without a round trip.
 */
public final class StoreOverNetwork {
  private static final Set<Method> READS = Methods.allNamed(Reader.class, "get", "scan");
  private static final Method GET = Methods.named(Reader.class, "get");
  private static final Method PREFETCH = Methods.named(RemoteReads.class, "prefetch");
  private static final Method UNGUARDED = Methods.named(Transaction.class, "unguarded");

  private final Store local;
  private final AtomicInteger roundTrips = new AtomicInteger();
  private final AtomicInteger mostRows = new AtomicInteger();

  public StoreOverNetwork(Store local) {
    this.local = local;
  }

  public Store store() {
    return proxy(Store.class, local, Map.of());
  }

  /** Since the last time this was asked; without guarded reads, which belong to changes. */
  public int roundTrips() {
    return roundTrips.getAndSet(0);
  }

  /** Of one round trip. */
  public int mostRowsPrefetched() {
    return mostRows.get();
  }

  private <T> T proxy(Class<T> type, T target, Map<Key, byte[]> prefetched) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (method.equals(PREFETCH)) {
                prefetch((List<?>) arguments[0], prefetched);
                return null;
              }
              if (method.equals(GET) && prefetched.containsKey(arguments[0])) {
                return prefetched.get(arguments[0]);
              }
              if (READS.contains(method)) {
                roundTrips.incrementAndGet();
              }
              try {
                return overNetwork(method, method.invoke(target, arguments), prefetched);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private void prefetch(List<?> keys, Map<Key, byte[]> prefetched) {
    roundTrips.incrementAndGet();
    mostRows.accumulateAndGet(keys.size(), Math::max);
    keys.forEach(key -> prefetched.put((Key) key, local.get((Key) key)));
  }

  private Object overNetwork(Method method, Object result, Map<Key, byte[]> prefetched) {
    if (result instanceof Store.Traits traits) {
      return new Store.Traits(false, traits.partitionsSpread());
    }
    if (result instanceof Transaction transaction) {
      return proxy(Transaction.class, transaction, new HashMap<>());
    }
    if (result instanceof RemoteReads remote) {
      return proxy(RemoteReads.class, remote, prefetched);
    }
    return method.equals(UNGUARDED) ? proxy(Reader.class, (Reader) result, prefetched) : result;
  }
}
