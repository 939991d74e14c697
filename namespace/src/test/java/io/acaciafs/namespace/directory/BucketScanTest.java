package io.acaciafs.namespace.directory;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.memory.MemoryStore;
import io.acaciafs.namespace.record.Buckets;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Merging the buckets of a directory shows what one bucket would. */
class BucketScanTest {
  private static final Comparator<byte[]> SIGNED = Arrays::compare;
  private static final Locator DIRECTORY = Locator.spread(17);

  private static Set<byte[]> names(List<@Size(max = 6) byte[]> drawn) {
    Set<byte[]> names = new TreeSet<>(SIGNED);
    drawn.stream().filter(name -> name.length > 0).forEach(names::add);
    return names;
  }

  private static MemoryStore store() {
    return new MemoryStore();
  }

  private static Key key(int bucket, byte[] name) {
    return NamespaceKeys.entry(DIRECTORY, bucket, name);
  }

  private static void put(MemoryStore store, Key key) {
    Transaction transaction = store.begin();
    transaction.put(key, NamespaceKeys.nameOf(key));
    transaction.commit().join();
  }

  private static List<byte[]> shown(Reader store, Buckets buckets, byte[] startAfter, int limit) {
    List<byte[]> shown = new ArrayList<>();
    BucketScan.forEachRow(
        store,
        DIRECTORY,
        buckets,
        startAfter,
        row -> {
          assertThat(row.value()).isEqualTo(NamespaceKeys.nameOf(row));
          shown.add(row.value());
          return shown.size() < limit;
        });
    return shown;
  }

  @Property(tries = 200)
  void inTheOrderOfSignedBytesFromAnywhere(
      @ForAll @Size(max = 60) List<@Size(max = 6) byte[]> drawn,
      @ForAll @IntRange(max = 10) int depth,
      @ForAll @Size(max = 6) byte[] startAfter,
      @ForAll @IntRange(min = 1, max = 70) int limit) {
    Set<byte[]> names = names(drawn);
    Buckets buckets = Buckets.uniform(1 << depth);
    try (MemoryStore store = store()) {
      names.forEach(name -> put(store, key(buckets.of(name), name)));
      List<byte[]> expected =
          names.stream().filter(name -> SIGNED.compare(name, startAfter) > 0).limit(limit).toList();
      assertThat(shown(store, buckets, startAfter, limit))
          .usingElementComparator(SIGNED)
          .isEqualTo(expected);
    }
  }

  /** Entries move while they are looked at, one with each row that is read. */
  @Property(tries = 200)
  void whatMovesIsSeenOnce(@ForAll long seed, @ForAll @IntRange(min = 1, max = 3000) int count) {
    Random random = new Random(seed);
    Set<byte[]> names = new TreeSet<>(SIGNED);
    for (int i = 0; i < count; i++) {
      names.add(Integer.toHexString(random.nextInt()).getBytes(StandardCharsets.UTF_8));
    }
    Buckets buckets = Buckets.uniform(2).divide(0);
    List<byte[]> toMove = new ArrayList<>();
    try (MemoryStore store = store()) {
      for (byte[] name : names) {
        boolean moves = buckets.of(name) == buckets.filling();
        boolean isMoved = moves && random.nextInt(4) == 0;
        put(store, key(isMoved ? buckets.filling() : buckets.formerOf(name), name));
        if (moves && !isMoved) {
          toMove.add(name);
        }
      }
      int everySoMany = 1 + random.nextInt(8);
      Reader moving =
          new MovingReader(
              store,
              () -> {
                if (!toMove.isEmpty() && random.nextInt(everySoMany) == 0) {
                  byte[] name = toMove.remove(random.nextInt(toMove.size()));
                  Transaction transaction = store.begin();
                  transaction.delete(key(buckets.emptying(), name));
                  transaction.put(key(buckets.filling(), name), name);
                  transaction.commit().join();
                }
              });
      assertThat(shown(moving, buckets, new byte[0], Integer.MAX_VALUE))
          .usingElementComparator(SIGNED)
          .isEqualTo(List.copyOf(names));
    }
  }

  /** Lets something happen before each row. */
  private record MovingReader(Reader store, Runnable before) implements Reader {
    @Override
    public byte[] get(Key key) {
      return store.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      Scan scan = store.scan(range);
      return new Scan() {
        @Override
        public boolean hasNext() {
          before.run();
          return scan.hasNext();
        }

        @Override
        public Row next() {
          return scan.next();
        }

        @Override
        public void close() {
          scan.close();
        }
      };
    }
  }
}
