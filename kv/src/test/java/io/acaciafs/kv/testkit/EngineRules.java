package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.engine.Engine;
import io.acaciafs.kv.engine.EngineContext;
import io.acaciafs.kv.engine.EngineProvider;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.StoreMetric;
import io.acaciafs.settings.Setting;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a NameNode expects of every engine. A test of an engine says where its stores may be. */
public interface EngineRules {
  Table ROWS = new Table("rows", 2);
  Table OTHER = Table.ofSingleRows("other");

  EngineProvider provider();

  /**
   * For a store of this name, which is not there yet.
   *
   * @param owner null: do not compare
   */
  EngineContext context(String name, String owner) throws Exception;

  /** For {@link #context}. */
  static EngineContext context(Path folder, String owner, Map<String, String> settings) {
    return new EngineContext(
        folder, folder.resolve("store"), Set.of(ROWS, OTHER), 60_000, owner, settings::get);
  }

  default Engine engine(String name) throws Exception {
    return provider().engine(context(name, "somebody"));
  }

  static Key key(int number) {
    return new Key(ROWS, new byte[] {0, 0, (byte) number});
  }

  static void put(Store store, int number) throws Exception {
    Transaction tx = store.begin();
    tx.put(key(number), new byte[] {(byte) number});
    tx.commit().get(60, TimeUnit.SECONDS);
  }

  static boolean has(Reader store, int number) {
    return store.get(key(number)) != null;
  }

  @Test
  default void isFoundByItsName() {
    List<String> found =
        ServiceLoader.load(EngineProvider.class).stream()
            .filter(each -> each.type() == provider().getClass())
            .map(each -> each.get().name())
            .toList();
    assertThat(found).containsExactly(provider().name());
  }

  @Test
  default void settingsAreAcacias() {
    assertThat(provider().settings())
        .extracting(Setting::name)
        .doesNotHaveDuplicates()
        .allMatch(name -> name.startsWith("acacia."));
  }

  @Test
  default void keepsTheRowsOfAFormattedStore() throws Exception {
    Engine engine = engine("kept");
    assertThat(engine.exists()).isFalse();
    engine.format(false);
    try (EngineStore store = engine.open()) {
      put(store, 1);
    }
    assertThat(engine.exists()).isTrue();
    engine.requireStore();
    try (EngineStore store = engine.open()) {
      assertThat(has(store, 1)).isTrue();
    }
  }

  @Test
  default void figuresHaveNamesOfTheirOwn() throws Exception {
    Engine engine = engine("figures");
    engine.format(false);
    try (EngineStore store = engine.open()) {
      put(store, 1);
      List<StoreMetric> metrics = store.metrics();
      assertThat(metrics)
          .extracting(StoreMetric::name)
          .doesNotHaveDuplicates()
          .allMatch(name -> name.matches("acacia_store_[a-z_]+"));
      assertThat(metrics).allMatch(metric -> metric.value().getAsLong() >= 0);
      assertThat(metrics)
          .filteredOn(metric -> metric.kind() == StoreMetric.Kind.COUNTER)
          .anyMatch(metric -> metric.value().getAsLong() > 0);
    }
  }

  @Test
  default void doesOrSaysThatItDoesNot() throws Exception {
    Engine engine = engine("powers");
    engine.format(false);
    try (EngineStore store = engine.open()) {
      put(store, 1);
      if (store.logCounts().isPresent()) {
        assertThat(store.rollLog()).isPositive();
        assertThat(store.logCounts().get().commits()).isEqualTo(1);
      } else {
        assertThatThrownBy(store::rollLog)
            .isInstanceOf(UnsupportedOperationException.class)
            .hasMessageContaining(" ");
      }
      assertThat(store.checkpoints().isPresent()).isEqualTo(engine.checkpointRestore().isPresent());
      assertThat(store.snapshots().isPresent()).isEqualTo(engine.snapshotRestore().isPresent());
    }
  }
}
