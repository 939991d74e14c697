package io.acaciafs.kv.raft;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.raft.call.ChannelSecurity;
import io.acaciafs.kv.raft.copy.CopyRate;
import io.acaciafs.kv.raft.copy.IncomingCopy;
import io.acaciafs.kv.rocksdb.RocksDbOptions;
import io.acaciafs.kv.rocksdb.RocksDbStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a member fetches that was away, and has the files of a copy with which all began, as after
 * an import.
 */
class SharedFilesTest {
  private static final Table TABLE = Table.ofSingleRows("rows");
  private static final int ROWS = Integer.getInteger("acacia.shared-rows", 20_000);
  private static final int MORE = Integer.getInteger("acacia.shared-more", 5_000);

  /** Whether rows are written among those that are there, and not behind them. */
  private static final boolean AMONG = Boolean.getBoolean("acacia.shared-among");

  private static final int ROWS_A_FILE = 2_000;
  private static final int ROWS_AT_ONCE = 50;
  private static final int VALUE_BYTES = 1_000;

  @TempDir private Path folder;
  private final Random random = new Random(1);

  private static Key key(long number) {
    return new Key(TABLE, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
  }

  private byte[] value() {
    byte[] value = new byte[VALUE_BYTES];
    random.nextBytes(value);
    return value;
  }

  private void load(Path store) {
    try (RocksDbStore loaded = RocksDbStore.open(store, Set.of(TABLE), RocksDbOptions.defaults())) {
      BulkLoader loader = loaded.bulkLoader();
      for (int first = 0; first < ROWS; first += ROWS_A_FILE) {
        try (BulkLoader.Run run = loader.begin(TABLE)) {
          for (int row = first; row < first + ROWS_A_FILE; row++) {
            run.add(key(row), value());
          }
        }
      }
      loader.finish(TABLE);
    }
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(file.getFileName()));
      }
    }
  }

  private void writeMore(Store store) throws Exception {
    for (int written = 0; written < MORE; written += ROWS_AT_ONCE) {
      List<CompletableFuture<Void>> commits = new ArrayList<>();
      for (int i = 0; i < ROWS_AT_ONCE; i++) {
        Transaction transaction = store.begin();
        transaction.put(key(AMONG ? random.nextInt(ROWS) : ROWS + written + i), value());
        commits.add(transaction.commit());
      }
      CompletableFuture.allOf(commits.toArray(CompletableFuture[]::new)).get(60, TimeUnit.SECONDS);
    }
  }

  private static long bytesIn(Path store) throws IOException {
    try (Stream<Path> files = Files.list(store)) {
      return files.mapToLong(file -> file.toFile().length()).sum();
    }
  }

  @Test
  void aMemberFetchesTheFilesThatItLacks() throws Exception {
    load(folder.resolve(Trio.NAMES.get(0)));
    for (String other : Trio.NAMES.subList(1, 3)) {
      copy(folder.resolve(Trio.NAMES.get(0)), folder.resolve(other));
    }
    try (Trio trio = new Trio(folder, Set.of(TABLE))) {
      String leader = trio.awaitLeader();
      String away = trio.follower();
      trio.awaitSame();
      trio.stop(away);
      writeMore(trio.member(leader).store);
      IncomingCopy incoming = new IncomingCopy(trio.folderOf(away), new CopyRate(0));
      incoming.fetch(trio.addressOf(leader), ChannelSecurity.NONE);
      long all = bytesIn(incoming.folder());
      System.out.printf("fetched %d of %d bytes%n", incoming.fetchedBytes(), all);
      assertThat(incoming.fetchedBytes()).isLessThan(all / 2);
    }
  }
}
