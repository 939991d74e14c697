package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Content;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Threads that read files all the time and compare what they get. A closed file must be read, whole
 * and right; of one that is being written any beginning is right, and it may fail.
 */
final class Readers implements AutoCloseable {
  private static final int COUNT = 4;
  private static final long END_SECONDS = 120;

  private record View(Map<Path, Content> open, Map<Path, Content> closed) {}

  private final FileSystem fs;
  private final AtomicBoolean ended = new AtomicBoolean();
  private final AtomicLong checks = new AtomicLong();
  private final List<Future<?>> readers = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(COUNT, task -> new Thread(task, "reader"));
  private volatile View view = new View(Map.of(), Map.of());

  Readers(FileSystem fs, long seed) {
    this.fs = fs;
    for (int i = 0; i < COUNT; i++) {
      Random random = new Random(seed + i);
      readers.add(
          threads.submit(
              () -> {
                while (!ended.get()) {
                  read(random);
                }
                return null;
              }));
    }
  }

  /** What to read from now on. */
  void look(Map<Path, Content> open, Map<Path, Content> closed) {
    view = new View(open, closed);
  }

  long checks() {
    return checks.get();
  }

  /** Ends, and fails if a reader has failed. */
  void stop() throws InterruptedException, ExecutionException, TimeoutException {
    ended.set(true);
    for (Future<?> reader : readers) {
      reader.get(END_SECONDS, TimeUnit.SECONDS);
    }
  }

  private void read(Random random) throws IOException {
    View now = view;
    if (!now.closed().isEmpty()) {
      Map.Entry<Path, Content> file = any(now.closed(), random);
      byte[] bytes = Content.read(fs, file.getKey());
      check(file, bytes, file.getValue().lengthBytes());
    }
    if (!now.open().isEmpty()) {
      Map.Entry<Path, Content> file = any(now.open(), random);
      byte[] bytes;
      try {
        bytes = Content.read(fs, file.getKey());
      } catch (IOException e) {
        return; // not there yet, or its pipeline is being built anew
      }
      check(file, bytes, bytes.length);
    }
  }

  private void check(Map.Entry<Path, Content> file, byte[] bytes, int lengthBytes) {
    byte[] right = Arrays.copyOf(file.getValue().bytes(), lengthBytes);
    if (!Arrays.equals(bytes, right)) {
      throw new AssertionError("Wrong bytes in " + file.getKey() + ", length " + bytes.length);
    }
    checks.incrementAndGet();
  }

  private static Map.Entry<Path, Content> any(Map<Path, Content> files, Random random) {
    return new ArrayList<>(files.entrySet()).get(random.nextInt(files.size()));
  }

  @Override
  public void close() {
    ended.set(true);
    threads.shutdownNow();
  }
}
