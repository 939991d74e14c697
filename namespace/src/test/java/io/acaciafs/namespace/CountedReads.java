package io.acaciafs.namespace;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the rows that transactions of a store read. */
final class CountedReads {
  private static final Set<String> READS = Set.of("get", "see", "recall", "peek", "scan");

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger assumed = new AtomicInteger();

  Store of(Store store) {
    return proxy(Store.class, store);
  }

  /** Rows that were guarded without a read, since the last time this was asked. */
  int assumedSince() {
    return assumed.getAndSet(0);
  }

  /** Reads since the last time this was asked. */
  int taken() {
    return reads.getAndSet(0);
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (READS.contains(method.getName())) {
                reads.incrementAndGet();
              }
              if (method.getName().equals("assume")) {
                assumed.incrementAndGet();
              }
              try {
                Object result = method.invoke(target, arguments);
                return result instanceof Transaction transaction
                    ? proxy(Transaction.class, transaction)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
