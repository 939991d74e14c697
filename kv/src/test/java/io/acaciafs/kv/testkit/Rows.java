package io.acaciafs.kv.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Tables, keys and steps of the kit's tests. */
final class Rows {
  static final Table PARTITIONED = new Table("partitioned", 2);
  static final Table SINGLE = Table.ofSingleRows("single_rows");
  static final Table OTHER = new Table("other", 4);
  static final Set<Table> TABLES = Set.of(PARTITIONED, SINGLE, OTHER);

  private static final long LONGEST_WAIT_S = 30;

  private Rows() {}

  static Key key(Table table, int... bytes) {
    return new Key(table, bytes(bytes));
  }

  static Key key(int... bytes) {
    return key(PARTITIONED, bytes);
  }

  static byte[] bytes(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < values.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return bytes;
  }

  /** A key with a four-byte number behind its first byte. */
  static Key numbered(Table table, int first, int number) {
    return key(table, first, number >>> 24, number >>> 16, number >>> 8, number);
  }

  static byte[] value(int value) {
    return bytes(value);
  }

  static void put(Store store, Key key, byte[] value) {
    Transaction transaction = store.begin();
    transaction.put(key, value);
    assertCommits(transaction);
  }

  static void delete(Store store, Key key) {
    Transaction transaction = store.begin();
    transaction.delete(key);
    assertCommits(transaction);
  }

  static void assertCommits(Transaction transaction) {
    assertHolds(transaction.commit());
  }

  static void assertHolds(CompletableFuture<Void> commit) {
    assertThat(failureOf(commit)).isNull();
  }

  static void assertConflicts(CompletableFuture<Void> commit) {
    assertThat(failureOf(commit)).isInstanceOf(ConflictException.class);
  }

  /** Waits for the end; null when all went well. */
  static Throwable failureOf(CompletableFuture<Void> commit) {
    return commit
        .handle((nothing, failure) -> failure)
        .orTimeout(LONGEST_WAIT_S, TimeUnit.SECONDS)
        .join();
  }

  static List<Row> scan(Reader reader, KeyRange range) {
    List<Row> rows = new ArrayList<>();
    try (Scan scan = reader.scan(range)) {
      scan.forEachRemaining(rows::add);
    }
    return rows;
  }

  static List<Key> keys(Reader reader, KeyRange range) {
    return scan(reader, range).stream().map(Row::key).toList();
  }
}
