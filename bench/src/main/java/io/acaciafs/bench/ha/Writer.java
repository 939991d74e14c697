package io.acaciafs.bench.ha;

import io.acaciafs.namenode.process.Threads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.jspecify.annotations.Nullable;

/** An unmodified client that makes directories, one after the other, on a thread of its own. */
final class Writer implements AutoCloseable {
  private static final long END_LIMIT_MS = 60_000;

  /** Directories in one, which has a limit. */
  private static final long IN_ONE = 10_000;

  private final Configuration conf;
  private final String folder;
  private final Thread thread = new Thread(this::run, "failover-writer");
  private volatile boolean ends;
  private volatile long acknowledged;
  private volatile @Nullable IOException failure;

  /** Under the lock. */
  private long lastNs = System.nanoTime();

  /** Under the lock. */
  private long longestGapNs;

  /**
   * @param folder of what it makes
   */
  Writer(Configuration conf, String folder) {
    this.conf = conf;
    this.folder = folder;
    thread.start();
  }

  private void run() {
    try (FileSystem fs = FileSystem.newInstance(conf)) {
      while (!ends) {
        fs.mkdirs(new Path(folder, acknowledged / IN_ONE + "/" + acknowledged));
        acknowledged();
      }
    } catch (IOException e) {
      failure = e;
    } catch (UncheckedIOException e) {
      failure = e.getCause();
    }
  }

  private synchronized void acknowledged() {
    long nowNs = System.nanoTime();
    longestGapNs = Math.max(longestGapNs, nowNs - lastNs);
    lastNs = nowNs;
    acknowledged++;
  }

  /** Forgets how long it waited. */
  synchronized void reset() {
    longestGapNs = 0;
  }

  /** The longest time without an acknowledgement since the last {@link #reset}. */
  synchronized long longestGapMs() {
    return TimeUnit.NANOSECONDS.toMillis(longestGapNs);
  }

  /** Waits for so many acknowledgements more. */
  void awaitMore(int count) throws IOException {
    long wanted = acknowledged + count;
    Nameservice.await(
        "An acknowledgement",
        () -> {
          IOException failed = failure;
          if (failed != null) {
            throw new IOException("A call failed", failed);
          }
          return acknowledged >= wanted;
        });
  }

  @Override
  public void close() {
    ends = true;
    Threads.join(thread, END_LIMIT_MS);
  }
}
