package io.acaciafs.namespace.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Placement;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.kv.testkit.Methods;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.testkit.ManualClock;
import io.acaciafs.namespace.testkit.NamespaceFixture;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DirectoryPlacesTest {
  private static final Method PLACEMENT = Methods.named(Store.class, "placement");
  private static final int GROUPS = 16;
  private static final int ROUNDS = 1_000;

  private final DirectoryPlaces places =
      new DirectoryPlaces(GROUPS, DirectoryPlacesTest::byFirstBits, new SplittableRandom(1));

  @Test
  void inEachRoundEachNeighbourhoodHasItsTurn() {
    Set<List<Integer>> orders = new HashSet<>();
    int whole = 0;
    for (int round = 0; round < ROUNDS; round++) {
      List<Integer> order = nextRound(round).stream().map(DirectoryPlacesTest::of).toList();
      orders.add(order);
      whole += new HashSet<>(order).size() == GROUPS ? 1 : 0;
    }
    assertThat(whole).as("few are missed").isGreaterThan(ROUNDS * 9 / 10);
    assertThat(orders).as("orders").hasSize(ROUNDS);
  }

  @Test
  void locatorsEndWithTheIdAndAreAsFarApartAsHashesAre() {
    Set<Long> beginnings = new HashSet<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<Locator> locators = nextRound(round);
      assertThat(locators.stream().map(Locator::directoryId))
          .isEqualTo(ids(round).boxed().toList());
      beginnings.addAll(
          locators.stream().map(DirectoryPlacesTest::first32Bits).collect(Collectors.toSet()));
    }
    assertThat(beginnings).hasSizeGreaterThan(ROUNDS * GROUPS * 99 / 100);
  }

  @Test
  void aNamespaceDealsItsDirectories() throws Exception {
    Store store = inPlacementGroups(new MemoryStore());
    try (NamespaceFixture namespace =
        new NamespaceFixture(store, NamespaceFixture.settings(4, 0), new ManualClock())) {
      for (int i = 0; i < GROUPS; i++) {
        namespace.mkdir("/d" + i);
        namespace.file("/d" + i + "/file");
      }
      Set<Locator> made = new HashSet<>();
      try (Scan rows = store.scan(KeyRange.ofTable(NamespaceKeys.ENTRIES))) {
        rows.forEachRemaining(row -> made.add(NamespaceKeys.directoryOf(row.key())));
      }
      made.removeIf(locator -> locator.directoryId() <= Namespace.ROOT_ID);
      assertThat(made).hasSize(GROUPS);
      assertThat(made.stream().map(DirectoryPlacesTest::of).distinct())
          .as("by their hashes they would be ten, most likely")
          .hasSizeGreaterThanOrEqualTo(GROUPS - 2);
    }
  }

  private static Store inPlacementGroups(Store store) {
    Placement placement =
        new Placement() {
          @Override
          public int groups() {
            return GROUPS;
          }

          @Override
          public int groupOf(Key key) {
            return byFirstBits(key);
          }
        };
    return (Store)
        Proxy.newProxyInstance(
            Store.class.getClassLoader(),
            new Class<?>[] {Store.class},
            (proxy, method, arguments) ->
                method.equals(PLACEMENT) ? placement : method.invoke(store, arguments));
  }

  private List<Locator> nextRound(int round) {
    return ids(round).mapToObj(places::next).toList();
  }

  private static LongStream ids(int round) {
    return LongStream.range(0, GROUPS).map(i -> 20_000L + round * 3_000L + i);
  }

  private static int of(Locator locator) {
    return byFirstBits(NamespaceKeys.header(locator));
  }

  private static int byFirstBits(Key key) {
    return (key.bytes()[0] & 0xff) >>> 4;
  }

  private static long first32Bits(Locator locator) {
    return ByteBuffer.wrap(locator.toBytes()).getInt();
  }
}
