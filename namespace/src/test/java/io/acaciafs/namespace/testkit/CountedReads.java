package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts the rows that transactions of a store read. */
public final class CountedReads {
  private static final Set<String> READS = Set.of("get", "getVersioned", "recall", "peek", "scan");

  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger assumed = new AtomicInteger();
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final boolean isOverNetwork;

  public CountedReads() {
    this(false);
  }

  private CountedReads(boolean isOverNetwork) {
    this.isOverNetwork = isOverNetwork;
  }

  /** Of a store that says that its reads are not local; who must not wait finds rows at hand. */
  public static CountedReads overNetwork() {
    return new CountedReads(true);
  }

  public Store of(Store store) {
    return proxy(Store.class, store, false);
  }

  /** Rows that were guarded without a read, since the last time this was asked. */
  public int assumedSince() {
    return assumed.getAndSet(0);
  }

  /** Reads since the last time this was asked. */
  public int taken() {
    return reads.getAndSet(0);
  }

  /** The names of all calls since the last time this was asked. */
  public List<String> calls() {
    List<String> taken = List.copyOf(calls);
    calls.clear();
    return taken;
  }

  private <T> T proxy(Class<T> type, T target, boolean isNonBlocking) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              if (method.getName().equals("mayBlock")) {
                return !isNonBlocking;
              }
              if (READS.contains(method.getName())) {
                reads.incrementAndGet();
              }
              if (method.getName().equals("guard")) {
                assumed.incrementAndGet();
              }
              try {
                Object result = method.invoke(target, arguments);
                if (result instanceof Store.Traits traits && isOverNetwork) {
                  return new Store.Traits(false, traits.partitionsSpread());
                }
                return result instanceof Transaction transaction
                    ? proxy(
                        Transaction.class,
                        transaction,
                        isOverNetwork && method.getName().equals("beginNonBlocking"))
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
