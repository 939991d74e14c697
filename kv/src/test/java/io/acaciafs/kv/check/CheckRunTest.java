package io.acaciafs.kv.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.Methods;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of suspicions about which the store does not answer. */
class CheckRunTest {
  private static final Method PREFETCH = Methods.named(RemoteReads.class, "prefetch");

  private static final Key KEY = new Key(Table.ofSingleRows("rows"), new byte[] {1});
  private static final Question WRONG =
      (reader, findings) -> {
        reader.get(KEY);
        findings.accept(Finding.damage("wrong", "key=1", "It is wrong.", null));
      };

  /** Which takes longer to read than the store is waited for. */
  private static final Question LARGE =
      (reader, findings) -> {
        throw new UnavailableException("Too much");
      };

  private static final Table FIRST = Table.ofSingleRows("first");
  private static final Table SECOND = Table.ofSingleRows("second");
  private static final Table THIRD = Table.ofSingleRows("third");
  private static final int ROWS = 100;
  private static final int MISSING = 17;

  private final MemoryStore memory = new MemoryStore();
  private final Told told = new Told();

  @AfterEach
  void close() {
    memory.close();
  }

  private static final class Told implements CheckListener {
    private final List<String> findings = new ArrayList<>();
    private final List<String> notChecked = new ArrayList<>();
    private final List<String> steps = new ArrayList<>();

    @Override
    public void found(Finding finding, Outcome outcome) {
      findings.add(finding.kind());
    }

    @Override
    public void notChecked(String what) {
      notChecked.add(what);
    }

    @Override
    public void progress(String step, long rows, long expected) {
      steps.add(step);
    }
  }

  private CheckRun runOn(Store store) {
    return new CheckRun(store, Pace.WITHOUT_REST, 1, false, told);
  }

  @Test
  void aSuspicionThatTheStoreDoesNotAnswerAboutIsNotCheckedAndOthersAre() throws Exception {
    CheckRun run = runOn(memory);
    for (Question question : List.of(LARGE, LARGE, WRONG, LARGE, LARGE)) {
      run.suspect(question);
    }
    run.settle();
    assertThat(told.findings).containsExactly("wrong");
    assertThat(told.notChecked).hasSize(4).allMatch(what -> what.contains("did not answer"));
  }

  /** At once, so that nobody takes a long step for a halt. */
  @Test
  void saysAtWhichStepItIs() throws Exception {
    CheckRun run = runOn(memory);
    run.suspect(WRONG);
    run.settle();
    assertThat(told.steps).isNotEmpty();
  }

  @Test
  void guardsThatAreNotComparedInTimeAreNoAnswer() throws Exception {
    CheckRun run = runOn(withoutValidation());
    run.suspect(WRONG);
    run.settle();
    assertThat(told.findings).isEmpty();
    assertThat(told.notChecked).hasSize(1);
  }

  @Test
  void aStoreThatIsDownEndsTheCheck() {
    CheckRun run = runOn(withoutValidation());
    for (int i = 0; i < 1000; i++) {
      run.suspect(WRONG);
    }
    assertThatThrownBy(run::settle).isInstanceOf(UnavailableException.class);
    assertThat(told.notChecked).hasSize(2);
  }

  /** Each row leads to another one, and that to a third. */
  @Test
  void whereReadsTakeANetworkRowsOfASliceAreReadTogether() throws Exception {
    Transaction rows = memory.begin();
    for (int i = 0; i < ROWS; i++) {
      rows.put(row(FIRST, i), new byte[0]);
      rows.put(row(SECOND, i), new byte[0]);
      if (i != MISSING) {
        rows.put(row(THIRD, i), new byte[0]);
      }
    }
    rows.commit().join();
    List<Integer> reads = new ArrayList<>();
    CheckRun run = runOn(farAway(reads));
    run.walk(
        "rows",
        KeyRange.ofTable(FIRST),
        (reader, row) -> run.ask(reader, row, leadsFurther(row.key().bytes()[0])));
    assertThat(told.findings).containsExactly("nowhere");
    assertThat(run.rows()).isEqualTo(ROWS);
    assertThat(reads).startsWith(ROWS, ROWS).as("and those that confirm").hasSizeLessThan(5);
  }

  private static Question leadsFurther(int number) {
    return (reader, findings) -> {
      if (reader.get(row(FIRST, number)) != null
          && reader.get(row(SECOND, number)) != null
          && reader.get(row(THIRD, number)) == null) {
        findings.accept(Finding.damage("nowhere", "row=" + number, "It leads nowhere.", null));
      }
    };
  }

  private static Key row(Table table, int number) {
    return new Key(table, new byte[] {(byte) number});
  }

  /** The store as one over a network, which notes how many rows are read at a time. */
  private Store farAway(List<Integer> reads) {
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, called, arguments) ->
                switch (called.getName()) {
                  case "traits" -> new Store.Traits(false, true);
                  case "begin" -> noting(memory.begin(), reads);
                  default -> called.invoke(memory, arguments);
                });
  }

  private static Transaction noting(Transaction transaction, List<Integer> reads) {
    return (Transaction)
        Proxy.newProxyInstance(
            Transaction.class.getClassLoader(),
            new Class<?>[] {Transaction.class},
            (proxy, called, arguments) -> {
              Object result = called.invoke(transaction, arguments);
              return result instanceof RemoteReads remote ? noting(remote, reads) : result;
            });
  }

  private static RemoteReads noting(RemoteReads remote, List<Integer> reads) {
    return (RemoteReads)
        Proxy.newProxyInstance(
            RemoteReads.class.getClassLoader(),
            new Class<?>[] {RemoteReads.class},
            (proxy, called, arguments) -> {
              if (called.equals(PREFETCH)) {
                reads.add(((List<?>) arguments[0]).size());
              }
              return called.invoke(remote, arguments);
            });
  }

  /** The store, which never says whether guards hold. */
  private Store withoutValidation() {
    return proxy(
        Store.class,
        memory,
        "begin",
        () ->
            proxy(
                Transaction.class,
                memory.begin(),
                "validate",
                () -> CompletableFuture.failedFuture(new UnavailableException("Nobody answers"))));
  }

  private static <T> T proxy(Class<T> type, T real, String method, Supplier<?> other) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, called, arguments) ->
                called.getName().equals(method) ? other.get() : called.invoke(real, arguments)));
  }
}
