package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Await;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;

/**
 * Writers over several NameNodes, each with a client of all of them, as sites set it up. No
 * operation of theirs may fail while servers die. It is watched how long each waits for an answer.
 */
final class ManyWriters implements AutoCloseable {
  static final int MOST = 64;
  private static final Duration PROGRESS_LIMIT = Duration.ofMinutes(4);
  private static final long WATCH_EVERY_MS = 20;

  private final AtomicBoolean isOver = new AtomicBoolean();
  private final List<FileSystem> clients = new ArrayList<>();
  private final List<AtomicLong> acknowledged = new ArrayList<>();
  private final List<Future<Ledger>> writers = new ArrayList<>();
  private final ExecutorService threads;
  private final ScheduledExecutorService watch =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "watch"));
  private final int size;
  private final long[] lastCount;
  private final long[] lastChangeNs;
  private final AtomicLong longestStallNs = new AtomicLong();

  /** The same of all together. */
  private long lastCountOfAll;

  private long lastChangeOfAllNs = System.nanoTime();
  private final AtomicLong longestOutageNs = new AtomicLong();

  /**
   * Starts them below a folder that is theirs alone.
   *
   * @param newClient opens a client of all NameNodes, for one of them
   */
  ManyWriters(Callable<FileSystem> newClient, int size, String folder, long seed) throws Exception {
    this(newClient, size, folder, seed, Writer.MAX_LENGTH_BYTES);
  }

  /** The same with files of other lengths. */
  ManyWriters(
      Callable<FileSystem> newClient, int size, String folder, long seed, int maxLengthBytes)
      throws Exception {
    this.size = size;
    this.lastCount = new long[size];
    this.lastChangeNs = new long[size];
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            size, task -> new Thread(task, "writer-" + number.incrementAndGet()));
    for (int i = 0; i < size; i++) {
      FileSystem client = newClient.call();
      AtomicLong count = new AtomicLong();
      clients.add(client);
      acknowledged.add(count);
      writers.add(
          threads.submit(
              new Writer(client, folder + "/w-" + i, seed + i, maxLengthBytes, count, isOver)));
      lastChangeNs[i] = System.nanoTime();
    }
    watch.scheduleAtFixedRate(this::look, WATCH_EVERY_MS, WATCH_EVERY_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    long nowNs = System.nanoTime();
    long countOfAll = operations();
    longestOutageNs.accumulateAndGet(nowNs - lastChangeOfAllNs, Math::max);
    if (countOfAll != lastCountOfAll) {
      lastCountOfAll = countOfAll;
      lastChangeOfAllNs = nowNs;
    }
    for (int i = 0; i < size; i++) {
      long count = acknowledged.get(i).get();
      long sinceNs = nowNs - lastChangeNs[i];
      longestStallNs.accumulateAndGet(sinceNs, Math::max);
      if (count != lastCount[i]) {
        lastCount[i] = count;
        lastChangeNs[i] = nowNs;
      }
    }
  }

  /** All answers so far. */
  long operations() {
    return acknowledged.stream().mapToLong(AtomicLong::get).sum();
  }

  /** The longest that a writer waited for an answer since this was asked last, in milliseconds. */
  long takeLongestStallMs() {
    return TimeUnit.NANOSECONDS.toMillis(longestStallNs.getAndSet(0));
  }

  /** The longest that all of them waited at once, since this was asked last, in milliseconds. */
  long takeLongestOutageMs() {
    return TimeUnit.NANOSECONDS.toMillis(longestOutageNs.getAndSet(0));
  }

  /** Returns when each has had some more answers; fails when one has failed. */
  void awaitProgressOfAll(int operations) throws Exception {
    List<Long> before = acknowledged.stream().map(AtomicLong::get).toList();
    Await.until(
        "an answer to each writer",
        PROGRESS_LIMIT,
        () -> {
          boolean all = true;
          for (int i = 0; i < size; i++) {
            if (writers.get(i).isDone()) {
              writers.get(i).get();
            }
            all &= acknowledged.get(i).get() >= before.get(i) + operations;
          }
          return all;
        });
  }

  /** Lets all end what they are about, and returns what they know. */
  List<Ledger> stop() throws Exception {
    isOver.set(true);
    List<Ledger> ledgers = new ArrayList<>();
    for (Future<Ledger> writer : writers) {
      ledgers.add(writer.get(PROGRESS_LIMIT.toSeconds(), TimeUnit.SECONDS));
    }
    return ledgers;
  }

  /** From now on calls may fail, and end what a writer is about: their servers are about to die. */
  void allowFailures() {
    isOver.set(true);
  }

  @Override
  public void close() throws IOException {
    isOver.set(true);
    watch.shutdownNow();
    threads.shutdownNow();
    for (FileSystem client : clients) {
      client.close();
    }
  }
}
