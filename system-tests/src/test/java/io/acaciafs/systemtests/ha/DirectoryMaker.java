package io.acaciafs.systemtests.ha;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.HaCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/**
 * A client with Hadoop's defaults that makes one directory after the other on a thread of its own,
 * and counts those that were acknowledged.
 */
final class DirectoryMaker implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final String parent;
  private final AtomicInteger acknowledged = new AtomicInteger();
  private final Thread thread;
  private volatile boolean ends;
  private volatile Throwable failure;

  DirectoryMaker(HaCluster cluster, String parent) {
    this.parent = parent;
    thread = new Thread(() -> run(cluster), "maker-of-" + parent);
    thread.start();
  }

  private void run(HaCluster cluster) {
    try (DistributedFileSystem fs = cluster.newFileSystem()) {
      while (!ends) {
        if (!fs.mkdirs(path(acknowledged.get()))) {
          throw new AssertionError(path(acknowledged.get()));
        }
        acknowledged.incrementAndGet();
      }
    } catch (Throwable e) {
      failure = e;
    }
  }

  private Path path(int number) {
    return new Path(parent, Integer.toString(number));
  }

  /** How many were acknowledged until now. */
  int acknowledged() {
    return acknowledged.get();
  }

  void awaitMore(int number) throws Exception {
    int wanted = acknowledged.get() + number;
    Await.until(
        "acknowledged operations of " + parent,
        LIMIT,
        () -> {
          if (failure != null) {
            throw new AssertionError("A call failed", failure);
          }
          return acknowledged.get() >= wanted;
        });
  }

  /** Those of the first ones that are not there. */
  List<Path> missing(FileSystem fs, int first) throws IOException {
    Set<String> there = new HashSet<>();
    for (FileStatus status : fs.listStatus(new Path(parent))) {
      there.add(status.getPath().getName());
    }
    List<Path> missing = new ArrayList<>();
    for (int i = 0; i < first; i++) {
      if (!there.contains(path(i).getName())) {
        missing.add(path(i));
      }
    }
    return missing;
  }

  /** Ends, and throws what a call failed with. */
  @Override
  public void close() {
    ends = true;
    try {
      thread.join(LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw new AssertionError("A call failed", failure);
    }
  }
}
