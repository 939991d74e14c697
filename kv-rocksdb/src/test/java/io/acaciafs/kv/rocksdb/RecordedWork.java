package io.acaciafs.kv.rocksdb;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.acaciafs.kv.BulkLoader;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.rocksdb.log.local.LogSegment;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The process whose writes the test records. It writes what it is about to do, and what it knows to
 * be durable, to the file {@code said}, which the test records too.
 */
final class RecordedWork {
  private static final int AT_A_TIME = 8;
  private static final int LOADED_ROWS = 3_000;
  private static final long LONGEST_WAIT_S = 60;

  private final Path folder;
  private final int maker;
  private final OutputStream said;
  private final Semaphore free = new Semaphore(AT_A_TIME);
  private RocksDbStore store;
  private int next;

  private RecordedWork(Path folder, int maker) throws IOException {
    this.folder = folder;
    this.maker = maker;
    this.said =
        Files.newOutputStream(
            folder.resolve("said"), StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /**
   * @param arguments the folder, the number of this process, what it does, how often
   */
  public static void main(String[] arguments) throws Exception {
    RecordedWork work = new RecordedWork(Path.of(arguments[0]), Integer.parseInt(arguments[1]));
    int commits = Integer.parseInt(arguments[3]);
    work.say("maker", work.maker);
    switch (arguments[2]) {
      case "all" -> work.all(commits);
      case "commit" -> work.commitUntilItFails(commits);
      default -> throw new IllegalArgumentException(arguments[2]);
    }
    Runtime.getRuntime().halt(0); // without an orderly end, as at a loss of power
  }

  private synchronized void say(String what, int number) {
    try {
      said.write(String.format("%s %d%n", what, number).getBytes(US_ASCII));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private void open() {
    store = SmallStores.open(folder.resolve("store"), NumberedCommits.TABLES);
    next = NumberedCommits.last(store) + 1;
    say("seen", next - 1); // this process goes on from here, so it has to stay
  }

  private void all(int commits) throws Exception {
    open();
    commit(commits);
    CompletableFuture<Void> copied = CompletableFuture.runAsync(() -> copy("copy-a-" + maker));
    commit(commits);
    copied.get(LONGEST_WAIT_S, TimeUnit.SECONDS);
    store.close();
    open();
    commit(commits);
    load();
    awaitAll();
    copy("copy-b-" + maker);
    commit(commits);
    awaitAll();
  }

  private void commitUntilItFails(int commits) throws Exception {
    try {
      open();
      commit(commits);
      awaitAll();
    } catch (StoreException e) { // the disk, as the test wants it
      Files.writeString(folder.resolve("failure"), e.getMessage());
    }
  }

  private void commit(int count) throws InterruptedException {
    for (int i = 0; i < count; i++, next++) {
      awaitFree(1);
      free.acquire();
      int number = next;
      Transaction transaction = store.begin();
      NumberedCommits.addTo(transaction, maker, number);
      say("begin", number);
      transaction
          .commit()
          .whenComplete(
              (nothing, failure) -> {
                if (failure == null) {
                  say("durable", number);
                }
                free.release();
              });
    }
  }

  private void awaitAll() throws InterruptedException {
    awaitFree(AT_A_TIME);
  }

  private void awaitFree(int count) throws InterruptedException {
    if (!free.tryAcquire(count, LONGEST_WAIT_S, TimeUnit.SECONDS)) {
      throw new StoreException("No commit ended in " + LONGEST_WAIT_S + " s");
    }
    free.release(count);
    if (store.writeFailure() != null) {
      throw store.writeFailure();
    }
  }

  private void copy(String name) {
    int atLeast = NumberedCommits.last(store);
    store.checkpoint(folder.resolve(name));
    try {
      LogSegment.syncFolder(folder); // its name is the caller's matter
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    say(name, atLeast);
  }

  /** As an import does. */
  private void load() {
    try (RocksDbStore loaded =
        SmallStores.open(folder.resolve("loaded-" + maker), NumberedCommits.TABLES)) {
      BulkLoader loader = loaded.bulkLoader();
      try (BulkLoader.Run run = loader.begin(NumberedCommits.ONE)) {
        for (int row = 0; row < LOADED_ROWS; row++) {
          run.add(key(row), key(row).bytes());
        }
      }
      loader.finish(NumberedCommits.ONE);
    }
    say("loaded-" + maker, LOADED_ROWS);
  }

  private static Key key(int row) {
    return new Key(NumberedCommits.ONE, ByteBuffer.allocate(4).putInt(row).array());
  }

  /** Whether all rows of {@link #load} are in a store. */
  static boolean isLoaded(RocksDbStore found, int rows) {
    for (int row = 0; row < rows; row++) {
      if (!Arrays.equals(found.get(key(row)), key(row).bytes())) {
        return false;
      }
    }
    return true;
  }
}
