package io.acaciafs.kv.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that is made under load is as a crash at one moment would have left the store. */
class CheckpointTest {
  private static final Table LEFT = new Table("left", 2);
  private static final Table RIGHT = Table.ofSingleRows("right");
  private static final int WRITERS = 4;
  private static final int COPIES = 8;

  @TempDir private Path folder;

  private static Key key(Table table, int writer, int number) {
    return new Key(table, ByteBuffer.allocate(6).putShort((short) writer).putInt(number).array());
  }

  /** Numbers that a writer has gone through, each in one of the two tables. */
  private static final class Writer implements Runnable {
    private final RocksDbStore store;
    private final int number;
    private final AtomicIntegerArray acknowledged;
    private final AtomicBoolean isOver;
    private final Random random;

    Writer(RocksDbStore store, int number, AtomicIntegerArray acknowledged, AtomicBoolean isOver) {
      this.store = store;
      this.number = number;
      this.acknowledged = acknowledged;
      this.isOver = isOver;
      this.random = new Random(number);
    }

    @Override
    public void run() {
      try {
        for (int next = 1; !isOver.get(); next++) {
          // The row of the last number goes, in one transaction with the coming of the next one.
          Transaction tx = store.begin();
          tx.delete(key(next % 2 == 0 ? LEFT : RIGHT, number, next - 1));
          byte[] value = new byte[200 + random.nextInt(2000)];
          tx.put(key(next % 2 == 0 ? RIGHT : LEFT, number, next), value);
          tx.commit().get(30, TimeUnit.SECONDS);
          acknowledged.set(number, next);
        }
      } catch (ExecutionException | InterruptedException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void holdsAllThatWasDurableBeforeAndEachCommitWhole() throws Exception {
    AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
    AtomicBoolean isOver = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    List<int[]> before = new ArrayList<>();
    List<int[]> after = new ArrayList<>();
    try (RocksDbStore store = SmallStores.open(folder.resolve("store"), Set.of(LEFT, RIGHT))) {
      for (int i = 0; i < WRITERS; i++) {
        threads.add(new Thread(new Writer(store, i, acknowledged, isOver), "writer-" + i));
      }
      threads.forEach(Thread::start);
      for (int i = 0; i < COPIES; i++) {
        before.add(numbers(acknowledged));
        store.checkpoint(folder.resolve("copy-" + i));
        after.add(numbers(acknowledged));
      }
      isOver.set(true);
      for (Thread thread : threads) {
        thread.join(30_000);
      }
    }
    assertThat(before.get(COPIES - 1)[0]).isPositive();
    for (int i = 0; i < COPIES; i++) {
      try (RocksDbStore copy = SmallStores.open(folder.resolve("copy-" + i), Set.of(LEFT, RIGHT))) {
        for (int writer = 0; writer < WRITERS; writer++) {
          List<Integer> found = found(copy, writer, after.get(i)[writer] + 2);
          assertThat(found).hasSizeLessThanOrEqualTo(1);
          int last = found.isEmpty() ? 0 : found.get(0);
          assertThat(last).isGreaterThanOrEqualTo(before.get(i)[writer]);
        }
      }
    }
  }

  private static int[] numbers(AtomicIntegerArray array) {
    int[] numbers = new int[array.length()];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = array.get(i);
    }
    return numbers;
  }

  private static List<Integer> found(RocksDbStore store, int writer, int limit) {
    List<Integer> found = new ArrayList<>();
    for (int i = 1; i <= limit; i++) {
      if (store.get(key(i % 2 == 0 ? RIGHT : LEFT, writer, i)) != null) {
        found.add(i);
      }
    }
    return found;
  }

  @Test
  void tellsTheBytesOfItsFiles() throws Exception {
    Path place = folder.resolve("store");
    int rows = 20_000;
    try (RocksDbStore store = SmallStores.open(place, Set.of(LEFT, RIGHT))) {
      for (int i = 0; i < rows; i++) {
        Transaction transaction = store.begin();
        transaction.put(key(LEFT, i % WRITERS, i), new byte[100]);
        transaction.commit();
      }
    }
    try (RocksDbStore store = SmallStores.open(place, Set.of(LEFT, RIGHT));
        Stream<Path> files = Files.list(place)) {
      long bytes =
          files
              .filter(file -> file.toString().endsWith(".sst"))
              .mapToLong(file -> file.toFile().length())
              .sum();
      assertThat(bytes).isPositive();
      assertThat(store.checkpoints().orElseThrow().bytes()).isEqualTo(bytes);
    }
  }

  @Test
  void refusesAFolderThatIsThere() throws Exception {
    Path taken = Files.createDirectory(folder.resolve("taken"));
    try (RocksDbStore store = SmallStores.open(folder.resolve("store"), Set.of(LEFT))) {
      assertThatThrownBy(() -> store.checkpoint(taken)).isInstanceOf(StoreException.class);
      assertThat(taken).isEmptyDirectory();
    }
    RocksDbStore closed = SmallStores.open(folder.resolve("store"), Set.of(LEFT));
    closed.close();
    assertThatThrownBy(() -> closed.checkpoint(folder.resolve("late")))
        .isInstanceOf(StoreException.class);
  }
}
