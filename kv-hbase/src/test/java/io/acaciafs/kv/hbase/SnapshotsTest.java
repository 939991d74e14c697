package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A snapshot in a pause is of one moment, though each transaction spans two regions. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class SnapshotsTest {
  private static final Table TABLE = new Table("rows", 2);
  private static final Table OTHER = Table.ofSingleRows("other");
  private static final int WRITERS = 4;
  private static final int SNAPSHOTS = 2;

  private final HBaseOptions options;

  SnapshotsTest(LocalHBase hbase) {
    options =
        Stores.options(hbase).withTable("snapshots").withTimeouts(2_000, 20_000, 20_000, 3_000);
  }

  /** Of even numbers in the one region, of odd ones in the other. */
  private static Key key(int writer, int number) {
    short prefix = (short) ((number % 2 == 0 ? 0x1000 : 0xF000) + writer);
    return new Key(TABLE, ByteBuffer.allocate(6).putShort(prefix).putInt(number).array());
  }

  /** A row that goes from one region to the other, with a number that grows. */
  private static final class Writer implements Runnable {
    private final HBaseStore store;
    private final int number;
    private final AtomicBoolean isOver;
    private final AtomicInteger acknowledged = new AtomicInteger();

    Writer(HBaseStore store, int number, AtomicBoolean isOver) {
      this.store = store;
      this.number = number;
      this.isOver = isOver;
    }

    @Override
    public void run() {
      try {
        for (int next = 1; !isOver.get(); next++) {
          Transaction tx = store.begin();
          if (next > 1) {
            tx.delete(key(number, next - 1));
          }
          tx.put(key(number, next), new byte[] {1});
          tx.commit().get(30, TimeUnit.SECONDS);
          acknowledged.set(next);
        }
      } catch (ExecutionException | InterruptedException | TimeoutException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void holdsAllThatWasCommittedBeforeAndEachTransactionWhole() throws Exception {
    AtomicBoolean isOver = new AtomicBoolean();
    List<Writer> writers = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    int[][] before = new int[SNAPSHOTS][WRITERS];
    try (HBaseStore store = Stores.openEmpty(options, Set.of(TABLE, OTHER), 2)) {
      for (int i = 0; i < WRITERS; i++) {
        writers.add(new Writer(store, i, isOver));
        threads.add(new Thread(writers.get(i), "writer-" + i));
      }
      threads.forEach(Thread::start);
      for (int i = 0; i < SNAPSHOTS; i++) {
        while (writers.get(0).acknowledged.get() < 20 * (i + 1)) {
          Thread.onSpinWait();
        }
        store.snapshots().orElseThrow().prepare();
        for (int writer = 0; writer < WRITERS; writer++) {
          before[i][writer] = writers.get(writer).acknowledged.get();
        }
        assertThat(store.snapshots().orElseThrow().pause(20_000, OTHER)).isTrue();
        int paused = writers.get(0).acknowledged.get();
        Transaction exempt = store.begin();
        exempt.put(new Key(OTHER, new byte[] {(byte) i}), new byte[] {1});
        exempt.commit().get(60, TimeUnit.SECONDS);
        store.snapshots().orElseThrow().take("moment-" + i);
        assertThat(writers.get(0).acknowledged).hasValueLessThanOrEqualTo(paused + 1);
        store.snapshots().orElseThrow().resume();
      }
      isOver.set(true);
      for (Thread thread : threads) {
        thread.join(30_000);
      }
      assertThatThrownBy(() -> HBaseAdmin.restore(options, "moment-0"))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("already");
    }
    for (int i = 0; i < SNAPSHOTS; i++) {
      HBaseOptions copy = options.withTable("snapshots-copy-" + i);
      HBaseAdmin.restore(copy, "moment-" + i);
      try (HBaseStore store = HBaseStore.open(copy)) {
        for (int writer = 0; writer < WRITERS; writer++) {
          int most = writers.get(writer).acknowledged.get() + 1;
          List<Integer> found = new ArrayList<>();
          for (int number = Math.max(1, before[i][writer] - 5); number <= most; number++) {
            if (store.get(key(writer, number)) != null) {
              found.add(number);
            }
          }
          assertThat(found).hasSize(1);
          assertThat(found.get(0)).isGreaterThanOrEqualTo(before[i][writer]);
        }
      }
    }
  }

  @Test
  void aCopyOfACopyOutlivesIt() throws Exception {
    try (HBaseStore store = Stores.openEmpty(options, Set.of(TABLE, OTHER), 2)) {
      put(store, 1);
      store.snapshots().orElseThrow().take("first");
    }
    HBaseOptions middle = options.withTable("snapshots-middle");
    HBaseAdmin.restore(middle, "first");
    try (HBaseStore store = HBaseStore.open(middle)) {
      put(store, 2);
      store.snapshots().orElseThrow().take("second");
    }
    HBaseOptions last = options.withTable("snapshots-last");
    HBaseAdmin.restore(last, "second");
    HBaseAdmin.drop(middle, "second");
    HBaseAdmin.drop(middle, "second"); // is nothing to do
    assertThat(HBaseAdmin.isFormatted(middle)).isFalse();
    assertThatThrownBy(() -> HBaseAdmin.restore(middle, "second"))
        .isInstanceOf(StoreException.class);
    try (HBaseStore store = HBaseStore.open(last)) {
      assertThat(store.get(key(0, 1))).isNotNull();
      assertThat(store.get(key(0, 2))).isNotNull();
    }
  }

  private static void put(HBaseStore store, int number) throws Exception {
    Transaction tx = store.begin();
    tx.put(key(0, number), new byte[] {1});
    tx.commit().get(30, TimeUnit.SECONDS);
  }
}
