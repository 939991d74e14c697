package io.acaciafs.kv.testkit;

import static io.acaciafs.kv.testkit.Rows.key;
import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.History.Entry;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The search for an order finds what it should. */
class HistoryTest {
  private static final Key X = key(1);
  private static final Key Y = key(2);

  @Test
  void anEngineWithoutGuardsIsFound() throws Exception {
    boolean found = false;
    for (long seed = 1; seed <= 20 && !found; seed++) {
      found = HistoryWorkload.run(withoutGuards(new MemoryStore()), seed).violation() != null;
    }
    assertThat(found).isTrue();
  }

  @Test
  void oneAfterTheOtherIsAnOrder() {
    assertThat(
            violation(
                new Entry(0, 1, Map.of(X, 0L), Map.of(X, 1L)),
                new Entry(2, 3, Map.of(X, 1L), Map.of(X, 2L)),
                new Entry(4, 5, Map.of(X, 2L), Map.of())))
        .isNull();
  }

  @Test
  void writeSkewIsACycle() {
    assertThat(
            violation(
                new Entry(0, 9, Map.of(X, 0L, Y, 0L), Map.of(X, 2L)),
                new Entry(0, 9, Map.of(X, 0L, Y, 0L), Map.of(Y, 2L))))
        .startsWith("A cycle");
  }

  @Test
  void aStaleReadIsACycleOnlyWithRealTime() {
    Entry write = new Entry(0, 1, Map.of(X, 0L), Map.of(X, 2L));
    assertThat(violation(write, new Entry(1, 3, Map.of(X, 0L), Map.of()))).isNull();
    assertThat(violation(write, new Entry(2, 3, Map.of(X, 0L), Map.of()))).startsWith("A cycle");
  }

  @Test
  void aReadOfHalfATransactionIsACycle() {
    assertThat(
            violation(
                new Entry(0, 9, Map.of(X, 0L, Y, 0L), Map.of(X, 2L, Y, 2L)),
                new Entry(0, 9, Map.of(X, 2L, Y, 0L), Map.of())))
        .startsWith("A cycle");
  }

  @Test
  void aReadOfWhatNobodyCommittedIsFound() {
    assertThat(violation(new Entry(0, 1, Map.of(X, 7L), Map.of())))
        .startsWith("Read what nobody committed");
  }

  private static String violation(Entry... entries) {
    return new History(List.of(entries), Map.of()).violation();
  }

  /** The same store, but a get guards nothing. */
  private static Store withoutGuards(Store store) {
    return proxy(
        Store.class,
        (method, arguments) ->
            method.getName().equals("begin")
                ? withoutGuards(store.begin())
                : method.invoke(store, arguments));
  }

  private static Transaction withoutGuards(Transaction transaction) {
    return proxy(
        Transaction.class,
        (method, arguments) ->
            method.getName().equals("get")
                ? transaction.unguarded().get((Key) arguments[0])
                : method.invoke(transaction, arguments));
  }

  private interface Handler {
    Object call(Method method, Object[] arguments)
        throws InvocationTargetException, IllegalAccessException;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> handler.call(method, arguments)));
  }
}
