package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Lets something happen right before a certain read of a store, so that a test can try all moments
 * one after the other. For one thread.
 */
public final class ChangesBetweenReads {
  /** What may happen. */
  public interface Change {
    void run() throws Exception;
  }

  private static final Set<Method> READS =
      Stream.of(
              Methods.allNamed(Transaction.class, "get", "getVersioned", "validate"),
              Methods.allNamed(Reader.class, "get", "scan"),
              Methods.allNamed(Scan.class, "next"))
          .flatMap(Set::stream)
          .collect(Collectors.toUnmodifiableSet());

  private static final Method FOR_EACH_ROW = Methods.named(Scan.class, "forEachRow");

  private Change change;
  private int next;
  private int every;
  private boolean isChanging;

  public Store of(Store store) {
    return proxy(Store.class, store);
  }

  /**
   * @param read of those from now on, from 0
   */
  public void before(int read, Change newChange) {
    before(read, Integer.MAX_VALUE, newChange);
  }

  /** The same, repeated before every n-th of the following reads. */
  public void before(int read, int newEvery, Change newChange) {
    next = read;
    every = newEvery;
    change = newChange;
  }

  /**
   * Nothing happens any more.
   *
   * @return whether something did
   */
  public boolean end() {
    change = null;
    return next < 0 || every < Integer.MAX_VALUE;
  }

  private void read() throws Exception {
    if (change != null && !isChanging && next-- == 0) {
      isChanging = true;
      try {
        change.run();
      } finally {
        isChanging = false;
      }
      if (every < Integer.MAX_VALUE) {
        next = every - 1;
      }
    }
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              if (READS.contains(method)) {
                read();
              }
              if (method.equals(FOR_EACH_ROW)) { // which goes through next
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              try {
                return wrapped(method.getReturnType(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  private Object wrapped(Class<?> type, Object result) {
    boolean isReader =
        result instanceof Transaction
            || result instanceof RemoteReads
            || result instanceof ReadTracking
            || result instanceof Reader
            || result instanceof Scan;
    return isReader && type.isInterface() ? proxyOf(type, result) : result;
  }

  private <T> T proxyOf(Class<T> type, Object target) {
    return proxy(type, type.cast(target));
  }
}
