package io.acaciafs.namespace.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories, then random rows are lost: repair makes a namespace of it again that is sound,
 * and where only index rows and counters were lost, the same one.
 */
class RandomDamageTest {
  private static final int OPERATIONS = 300;
  private static final int LOST_ROWS = 5;
  private static final int MOST_REPAIRS = 4;
  private static final Key ROOT = NamespaceKeys.entry(Locator.spread(0), 0, new byte[0]);

  static Stream<Long> seeds() {
    return IntStream.rangeClosed(1, 20).mapToObj(Long::valueOf);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whateverIsLostTheRestIsSound(long seed) throws Exception {
    Random random = new Random(seed);
    try (NamespaceFixture fixture = history(random)) {
      List<Key> rows = new ArrayList<>(fixture.keys(NamespaceKeys.ENTRIES));
      rows.remove(ROOT);
      rows.addAll(indexes(fixture));
      lose(fixture, rows, random);
      repair(fixture);
    }
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void nothingIsLostWithIndexesAndCounters(long seed) throws Exception {
    Random random = new Random(seed);
    try (NamespaceFixture fixture = history(random)) {
      List<String> before = tree(fixture, "/");
      List<Key> rows = indexes(fixture);
      fixture.keys(NamespaceKeys.ENTRIES).stream()
          .filter(row -> !NamespaceKeys.isEntry(row))
          .forEach(rows::add);
      lose(fixture, rows, random);
      repair(fixture);
      assertThat(tree(fixture, "/")).isEqualTo(before);
    }
  }

  private static NamespaceFixture history(Random random) throws Exception {
    NamespaceSettings settings =
        random.nextBoolean()
            ? NamespaceFixture.settingsOfBuckets(4, 0)
            : NamespaceFixture.settingsOfBuckets(1, 1);
    NamespaceFixture fixture = new NamespaceFixture(new MemoryStore(), settings, new ManualClock());
    for (int i = 0; i < OPERATIONS; i++) {
      NamespaceConcurrencyTest.tryOne(fixture, random);
    }
    fixture.sweep(); // without its job a directory that was deleted comes back
    assertThat(fixture.damage(true)).isEmpty();
    return fixture;
  }

  private static List<Key> indexes(NamespaceFixture fixture) {
    List<Key> rows = new ArrayList<>(fixture.keys(NamespaceKeys.INODES));
    rows.addAll(fixture.keys(NamespaceKeys.OPEN_FILES));
    rows.addAll(fixture.keys(NamespaceKeys.JOBS));
    rows.addAll(fixture.keys(NamespaceKeys.IDS));
    return rows;
  }

  private static void lose(NamespaceFixture fixture, List<Key> rows, Random random)
      throws Exception {
    Transaction tx = fixture.store().begin();
    for (int i = 0; i < LOST_ROWS; i++) {
      tx.delete(rows.get(random.nextInt(rows.size())));
    }
    tx.commit().get();
  }

  private static void repair(NamespaceFixture fixture) {
    int repairs = 0;
    while (!fixture.damage(true).isEmpty()) {
      assertThat(++repairs).as("repairs: %s", fixture.damage(true)).isLessThan(MOST_REPAIRS);
      fixture.check(true);
    }
  }

  private static List<String> tree(NamespaceFixture fixture, String path) throws Exception {
    List<String> paths = new ArrayList<>();
    for (String name : fixture.list(path)) {
      String child = (path.equals("/") ? "" : path) + "/" + name;
      paths.add(child);
      if (fixture.info(child).inode().isDirectory()) {
        paths.addAll(tree(fixture, child));
      }
    }
    return paths;
  }
}
