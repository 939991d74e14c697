package io.acaciafs.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.Methods;
import io.acaciafs.namespace.op.directory.Delete;
import io.acaciafs.namespace.op.directory.GetFileInfo;
import io.acaciafs.namespace.op.quota.SetQuota;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Operations on a store that remembers rows which others have changed since. */
class RecalledRowsTest {
  private static final Method RECALL = Methods.named(RemoteReads.class, "recall");

  private final Map<Key, byte[]> remembered = new HashMap<>();
  private final NamespaceFixture fs =
      new NamespaceFixture(
          proxy(Store.class, new MemoryStore()),
          NamespaceFixture.settings(100, 0),
          new ManualClock());

  @AfterEach
  void close() {
    fs.close();
  }

  /** It conflicts before it asks the store, which so does not learn that it was wrong. */
  @Test
  void whoFindsOutHimselfThatARowIsOldReadsIt() throws IOException {
    fs.mkdir("/d");
    fs.open("/d/file");
    Map<Key, byte[]> before = new HashMap<>();
    fs.keys(NamespaceKeys.ENTRIES).forEach(key -> before.put(key, fs.store().get(key)));
    fs.run(new Delete("/d/file", false));
    fs.open("/d/file");
    remembered.putAll(before);
    fs.run(new SetQuota("/d", 100, -1, null));
    assertThat(fs.run(new GetFileInfo("/d"))).isNotNull();
    assertThat(fs.damage(false)).isEmpty();
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                Object result = method.invoke(target, arguments);
                if (result instanceof Transaction transaction) {
                  return proxy(Transaction.class, transaction);
                }
                if (result instanceof RemoteReads reads) {
                  return proxy(RemoteReads.class, reads);
                }
                return method.equals(RECALL)
                    ? remembered.getOrDefault((Key) arguments[0], (byte[]) result)
                    : result;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }
}
