package io.acaciafs.systemtests.ha;

import io.acaciafs.systemtests.harness.HaCluster;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.StandbyException;

/**
 * A client that asks one NameNode alone, on several threads, whether a directory was renamed. It
 * connects before that NameNode stands still, so its calls are the first that it meets later.
 */
final class RenameReader implements AutoCloseable {
  private static final int THREADS = 8;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final List<Future<Void>> answers = new ArrayList<>();
  private final FileSystem nameNode;
  private final Path from;
  private final Path to;

  /**
   * Makes the directory.
   *
   * @param nameNode leads
   */
  RenameReader(HaCluster cluster, int nameNode, Path from, Path to) throws IOException {
    this.nameNode = clientOf(cluster, nameNode);
    this.from = from;
    this.to = to;
    boolean isMade = this.nameNode.mkdirs(from);
    if (!isMade || !this.nameNode.exists(from) || this.nameNode.exists(to)) {
      throw new AssertionError(from);
    }
  }

  private static FileSystem clientOf(HaCluster cluster, int nameNode) throws IOException {
    return FileSystem.newInstance(
        URI.create("hdfs://" + cluster.rpcAddress(nameNode)), cluster.clientConfiguration());
  }

  /** Renames it, by another NameNode, which leads. */
  void rename(HaCluster cluster, int leader) throws IOException {
    try (FileSystem fs = clientOf(cluster, leader)) {
      if (!fs.rename(from, to)) {
        throw new AssertionError(from);
      }
    }
  }

  /** Begins to ask; returns when all threads do. */
  void ask() throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(THREADS);
    for (int thread = 0; thread < THREADS; thread++) {
      boolean asksForOld = thread % 2 == 0;
      answers.add(
          threads.submit(
              () -> {
                begun.countDown();
                while (!isTold(asksForOld)) {
                  Thread.onSpinWait(); // it did not lead, and knew none that does
                }
                return null;
              }));
    }
    begun.await();
  }

  /** Whether it has answered, and with what is true. */
  private boolean isTold(boolean asksForOld) throws IOException {
    try {
      if (nameNode.exists(asksForOld ? from : to) == asksForOld) {
        throw new AssertionError("It said that " + from + " was not renamed");
      }
      return true;
    } catch (RemoteException e) {
      if (!e.getClassName().equals(StandbyException.class.getName())) {
        throw e;
      }
      return false;
    }
  }

  /** Returns when each thread has got an answer, and no answer was one from before the rename. */
  void awaitTruth() throws Exception {
    for (Future<Void> answer : answers) {
      answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }
  }

  @Override
  public void close() throws IOException {
    threads.shutdownNow();
    nameNode.close();
  }
}
