package io.acaciafs.kv.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The coprocessor beside stock requests to the same rows, and a table that loses it. */
@Tag("hbase")
@ExtendWith(TestHBase.class)
class CoprocessorTest {
  private static final Table TABLE = new Table("entries", 1);
  private static final Key COUNTERS = key(200);
  private static final int ROWS = 8;
  private static final int STEPS = 400;

  private final HBaseOptions options;
  private HBaseStore with;
  private HBaseStore without;

  CoprocessorTest(LocalHBase hbase) {
    options =
        HBaseOptions.of(hbase.zooKeeper())
            .withTable("coprocessor")
            .withCoprocessor(HBaseOptions.COPROCESSOR_ON_CLASS_PATH);
  }

  @BeforeEach
  void open() throws Exception {
    HBaseAdmin.format(options, Set.of(TABLE), 1, true);
    with = HBaseStore.open(options);
    without = HBaseStore.open(options);
    without.coprocessor().loadedByTable(false);
    assertThat(with.coprocessor().isOn()).isTrue();
    Stores.bind(with);
    Stores.bind(without);
  }

  @AfterEach
  void close() {
    with.close();
    without.close();
  }

  /** What one of them has written the other one reads at once, from memory or not. */
  @Test
  void eachSeesWhatTheOtherWrote() {
    Random random = new Random(20261128);
    Map<Integer, Integer> model = new HashMap<>();
    long sum = 0;
    for (int step = 0; step < STEPS; step++) {
      HBaseStore writer = random.nextBoolean() ? with : without;
      int row = random.nextInt(ROWS);
      Transaction transaction = writer.begin();
      switch (random.nextInt(4)) {
        case 0 -> {
          transaction.delete(key(row));
          model.remove(row);
        }
        case 1 -> {
          transaction.add(COUNTERS, one());
          sum++;
        }
        default -> {
          int value = random.nextInt(100);
          transaction.put(key(row), new byte[] {(byte) value});
          model.put(row, value);
        }
      }
      transaction.commit().join();
      for (HBaseStore reader : List.of(with, without)) {
        int looked = random.nextInt(ROWS);
        byte[] expected =
            model.containsKey(looked) ? new byte[] {model.get(looked).byteValue()} : null;
        assertThat(reader.get(key(looked)))
            .as("row %s at step %s", looked, step)
            .isEqualTo(expected);
        assertThat(Counters.decode(reader.get(COUNTERS)).sum(0)).as("step %s", step).isEqualTo(sum);
        assertThat(rows(reader)).as("step %s", step).isEqualTo(model);
      }
    }
  }

  private static Map<Integer, Integer> rows(HBaseStore reader) {
    Map<Integer, Integer> rows = new HashMap<>();
    try (Scan scan = reader.scan(new KeyRange(TABLE, new byte[] {0}, new byte[] {ROWS}))) {
      while (scan.hasNext()) {
        Row row = scan.next();
        rows.put((int) row.key().bytes()[0], (int) row.value()[0]);
      }
    }
    return rows;
  }

  /** Neither knows at first whether there are counters. */
  @RepeatedTest(3)
  void bothAddToCountersAtTheSameTime() {
    List<CompletableFuture<Void>> added = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      Transaction transaction = (i % 2 == 0 ? with : without).begin();
      transaction.add(COUNTERS, one());
      transaction.put(key(i % 100), new byte[] {1});
      added.add(transaction.commit());
    }
    CompletableFuture.allOf(added.toArray(CompletableFuture[]::new)).join();
    assertThat(Counters.decode(with.get(COUNTERS)).sum(0)).isEqualTo(400);
    assertThat(Counters.decode(without.get(COUNTERS)).sum(0)).isEqualTo(400);
  }

  /** A conflict of one does not refuse the others that share its request. */
  @Test
  void aConflictRefusesOneTransactionAlone() {
    put(with, key(1), 1);
    with.get(key(2)); // has the region located
    Transaction late = with.begin();
    late.get(key(1));
    late.put(key(1), new byte[] {3});
    put(without, key(1), 2);
    long before = with.requests();
    List<CompletableFuture<Void>> others = new ArrayList<>();
    CompletableFuture<Void> refused = late.commit();
    for (int i = 10; i < 40; i++) {
      Transaction other = with.begin();
      other.put(key(i), new byte[] {1});
      others.add(other.commit());
    }
    CompletableFuture.allOf(others.toArray(CompletableFuture[]::new)).join();
    assertThat(refused.handle((done, failure) -> failure).join())
        .isInstanceOf(ConflictException.class);
    assertThat(with.requests() - before).as("commits, and a read of what conflicts").isLessThan(12);
  }

  @Test
  void aTableThatLosesTheCoprocessorIsServedOn() throws Exception {
    put(with, key(1), 1);
    Stores.removeCoprocessor(options);
    assertThat(with.get(key(1))).containsExactly(1);
    put(with, key(1), 2);
    assertThat(with.coprocessor().isOn()).isFalse();
    assertThat(without.get(key(1))).containsExactly(2);
  }

  private static void put(HBaseStore store, Key key, int value) {
    Transaction transaction = store.begin();
    transaction.put(key, new byte[] {(byte) value});
    transaction.commit().join();
  }

  private static Counters one() {
    return new Counters(new long[] {1}, new long[0]);
  }

  private static Key key(int number) {
    return new Key(TABLE, new byte[] {(byte) number});
  }
}
