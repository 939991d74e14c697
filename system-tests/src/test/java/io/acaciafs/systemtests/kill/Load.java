package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Many writers over a few connections, from start to the death of the NameNode.
 *
 * <p>Their clients do not retry: an operation that fails was not acknowledged, and that is all.
 */
final class Load implements AutoCloseable {
  private static final int WRITERS = 64;
  private static final int CLIENTS = 8;
  private static final Duration ACKNOWLEDGED_LIMIT = Duration.ofSeconds(60);
  private static final Duration END_LIMIT = Duration.ofSeconds(90);

  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicBoolean killed = new AtomicBoolean();
  private final List<FileSystem> clients = new ArrayList<>();
  private final List<Future<Ledger>> writers = new ArrayList<>();
  private final ExecutorService threads;

  /** Starts the writers, in a folder that is theirs alone. */
  Load(Cluster cluster, String folder, long seed) throws Exception {
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newFixedThreadPool(
            WRITERS, task -> new Thread(task, "writer-" + number.incrementAndGet()));
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(connect(cluster));
    }
    for (int i = 0; i < WRITERS; i++) {
      writers.add(
          threads.submit(
              new Writer(
                  clients.get(i % CLIENTS), folder + "/w-" + i, seed + i, acknowledged, killed)));
    }
  }

  /** A user of its own has a connection of its own. */
  private static FileSystem connect(Cluster cluster) throws Exception {
    String name = UserGroupInformation.getCurrentUser().getShortUserName();
    Map<String, String> settings = Map.of("ipc.client.connect.max.retries", "0");
    return UserGroupInformation.createRemoteUser(name)
        .doAs((PrivilegedExceptionAction<FileSystem>) () -> cluster.newFileSystem(settings));
  }

  /** Returns when that many operations have been acknowledged; fails when a writer has failed. */
  void awaitAcknowledged(long operations) throws Exception {
    Await.until(
        operations + " acknowledged operations",
        ACKNOWLEDGED_LIMIT,
        () -> {
          for (Future<Ledger> writer : writers) {
            if (writer.isDone()) {
              writer.get();
            }
          }
          return acknowledged.get() >= operations;
        });
  }

  /** Kills the NameNode under the writers and returns what they know. */
  List<Ledger> killUnder(Cluster cluster) throws Exception {
    killed.set(true);
    cluster.killNameNode();
    List<Ledger> ledgers = new ArrayList<>();
    for (Future<Ledger> writer : writers) {
      ledgers.add(writer.get(END_LIMIT.toSeconds(), TimeUnit.SECONDS));
    }
    return ledgers;
  }

  /** Ends threads and clients; to be called while the NameNode is dead, or they finish files. */
  @Override
  public void close() throws IOException {
    killed.set(true);
    threads.shutdownNow();
    for (FileSystem client : clients) {
      client.close();
    }
  }
}
