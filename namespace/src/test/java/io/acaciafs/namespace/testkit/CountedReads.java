package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Counts the rows that transactions of a store read. */
public final class CountedReads {
  private static final Set<Method> READS =
      Stream.of(
              Methods.allNamed(Transaction.class, "get", "getVersioned"),
              Methods.allNamed(RemoteReads.class, "recall"),
              Methods.allNamed(Reader.class, "get", "scan"))
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static final Method GUARD = Methods.named(Transaction.class, "guard");
  private static final Method UNGUARDED = Methods.named(Transaction.class, "unguarded");
  private static final Method MAY_BLOCK = Methods.named(RemoteReads.class, "mayBlock");
  private static final Method BEGIN_NON_BLOCKING = Methods.named(Store.class, "beginNonBlocking");

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

  /** The names of all calls since the last time this was asked; those of readers: Reader.get. */
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
              calls.add((type == Reader.class ? "Reader." : "") + method.getName());
              if (method.equals(MAY_BLOCK)) {
                return !isNonBlocking;
              }
              if (READS.contains(method)) {
                reads.incrementAndGet();
              }
              if (method.equals(GUARD)) {
                assumed.incrementAndGet();
              }
              try {
                return counted(method, method.invoke(target, arguments), isNonBlocking);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Object counted(Method method, Object result, boolean isNonBlocking) {
    if (result instanceof Store.Traits traits && isOverNetwork) {
      return new Store.Traits(false, traits.partitionsSpread());
    }
    if (method.getReturnType() == Transaction.class) {
      boolean mustNotBlock = isOverNetwork && method.equals(BEGIN_NON_BLOCKING);
      return proxy(Transaction.class, (Transaction) result, mustNotBlock);
    }
    if (method.getReturnType() == RemoteReads.class) {
      return proxy(RemoteReads.class, (RemoteReads) result, isNonBlocking);
    }
    return method.equals(UNGUARDED) ? proxy(Reader.class, (Reader) result, isNonBlocking) : result;
  }
}
