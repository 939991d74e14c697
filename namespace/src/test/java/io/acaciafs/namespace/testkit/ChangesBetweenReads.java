package io.acaciafs.namespace.testkit;

import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;

/**
 * Lets something happen right before a certain read of a store, so that a test can try all moments
 * one after the other. For one thread.
 */
public final class ChangesBetweenReads {
  /** What may happen. */
  public interface Change {
    void run() throws Exception;
  }

  private static final Set<String> READS =
      Set.of("get", "getVersioned", "peek", "scan", "next", "validate");

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
              if (READS.contains(method.getName())) {
                read();
              }
              if (method.isDefault() && type == Scan.class && isOfRows(method.getName())) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
              }
              try {
                return wrapped(method.getReturnType(), method.invoke(target, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  /** Goes through {@code next}. */
  private static boolean isOfRows(String name) {
    return name.equals("forEachRow");
  }

  private Object wrapped(Class<?> type, Object result) {
    boolean isReader = result instanceof Reader || result instanceof Scan;
    return isReader && type.isInterface() ? proxyOf(type, result) : result;
  }

  private <T> T proxyOf(Class<T> type, Object target) {
    return proxy(type, type.cast(target));
  }
}
