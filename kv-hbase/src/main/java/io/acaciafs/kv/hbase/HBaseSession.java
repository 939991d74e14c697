package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Peers;
import io.acaciafs.kv.Session;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** How this process takes part in a table that several processes use. Safe for many threads. */
final class HBaseSession implements Session {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final Cluster cluster;
  private final LockResolver locks;
  private final CommitThreads threads;
  private final RandomGenerator random;

  /**
   * @param threads end with the store; their calls fail after that
   */
  HBaseSession(Cluster cluster, LockResolver locks, CommitThreads threads, RandomGenerator random) {
    this.cluster = cluster;
    this.locks = locks;
    this.threads = threads;
    this.random = random;
  }

  @Override
  public void bindTo(Key session) {
    threads.checkOpen();
    if (cluster.passes() != null) {
      throw new IllegalStateException("A store is bound once");
    }
    cluster.show(new FencingTokens(cluster, locks, session, threads::runApart, random));
  }

  @Override
  public void connect(Peers peers) {
    threads.checkOpen();
    cluster.assignments().connect(peers);
  }

  @Override
  public void rely() {
    cluster.assignments().rely();
  }

  @Override
  public CompletableFuture<String> receive(String message) {
    return cluster.assignments().receive(message);
  }

  @Override
  public CompletableFuture<Void> fenceOff(Key session) {
    threads.checkOpen();
    return threads.runApart(() -> FencingTokens.takeAway(cluster, locks, RowKeys.of(session), random));
  }

  @Override
  public CompletableFuture<Void> settle() {
    FencingTokens passes = cluster.passes();
    return passes == null ? DONE : passes.settle();
  }
}
