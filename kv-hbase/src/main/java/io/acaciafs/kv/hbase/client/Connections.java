package io.acaciafs.kv.hbase.client;

import io.acaciafs.kv.StoreException;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.security.SecurityCapability;
import org.apache.hadoop.hbase.security.User;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Connects to a cluster, and waits for one that does not answer yet. */
public final class Connections {
  private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
  private static final long FIRST_PAUSE_MS = 250;
  private static final long LONGEST_PAUSE_MS = 4_000;

  /** After which a question is sent again. */
  private static final long PATIENCE_OF_ONE_QUESTION_MS = 20_000;

  /** The KDC may have missed one, or a server have taken two at a time for a repetition. */
  private static final int MOST_REFUSALS = 3;

  private Connections() {}

  /** A first request to a cluster. */
  @FunctionalInterface
  public interface Question<T> {
    Future<T> send(AsyncConnection connection);
  }

  /** A connection, and the answer to the first question, which shows that it works. */
  public record Answered<T>(AsyncConnection connection, T answer) {}

  /**
   * Connects as the process has logged in, where HBase wants Kerberos.
   *
   * @throws StoreException when there is no answer in the time that the options give; soon, when
   *     one of the two does not believe the other who it is
   */
  public static <T> Answered<T> connect(HBaseOptions options, Question<T> question) {
    long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(options.startTimeoutMs());
    Configuration conf = configuration(options);
    User self = HBaseLogin.user(conf);
    boolean isKerberos = User.isHBaseSecurityEnabled(conf);
    int refusals = 0;
    long pauseMs = FIRST_PAUSE_MS;
    while (true) {
      Throwable failure;
      AsyncConnection connection = null;
      long patienceNs = TimeUnit.MILLISECONDS.toNanos(PATIENCE_OF_ONE_QUESTION_MS);
      long untilNs = Math.min(deadlineNs, System.nanoTime() + patienceNs);
      try {
        connection = get(ConnectionFactory.createAsyncConnection(conf, self), untilNs);
        if (isKerberos) {
          requireAuthorization(options, get(Introduction.to(connection), untilNs));
        }
        return new Answered<>(connection, get(question.send(connection), untilNs));
      } catch (ExecutionException e) {
        failure = Objects.requireNonNullElse(e.getCause(), e);
      } catch (TimeoutException e) {
        failure = new TimeoutException("no answer to a question");
      }
      closeQuietly(connection);
      if (isKerberos && Introduction.isRefused(failure) && ++refusals == MOST_REFUSALS) {
        throw new StoreException(
            "HBase at "
                + options.zooKeeper()
                + " and this process, as "
                + self.getName()
                + ", do not come to terms by Kerberos: "
                + Introduction.reason(failure),
            failure);
      }
      if (System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMs) > deadlineNs) {
        throw new StoreException(
            "HBase does not answer at "
                + options.zooKeeper()
                + ": is its ZooKeeper there, and are its servers up? "
                + Failures.reason(failure),
            failure);
      }
      LOG.info(
          "HBase does not answer yet zooKeeper={} reason={}",
          options.zooKeeper(),
          Failures.reason(failure));
      pause(pauseMs);
      pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
  }

  /** The master alone tells; its region servers are to have the same settings. */
  static void requireAuthorization(HBaseOptions options, List<SecurityCapability> capabilities) {
    if (!capabilities.contains(SecurityCapability.AUTHORIZATION)) {
      throw new StoreException(
          "HBase at "
              + options.zooKeeper()
              + " lets every user with a ticket read and change the file system. Set"
              + " hbase.security.authorization to true in HBase, with its AccessController");
    }
  }

  public static Configuration configuration(HBaseOptions options) {
    Configuration conf = HBaseConfiguration.create();
    int colon = options.zooKeeper().lastIndexOf(':');
    conf.set("hbase.zookeeper.quorum", options.zooKeeper().substring(0, colon));
    conf.set("hbase.zookeeper.property.clientPort", options.zooKeeper().substring(colon + 1));
    conf.setInt("zookeeper.recovery.retry", 1);
    conf.setInt("zookeeper.recovery.retry.intervalmill", 200);
    conf.setInt("zookeeper.session.timeout", 10_000);
    conf.setInt("hbase.rpc.timeout", options.rpcTimeoutMs());
    conf.setInt("hbase.rpc.read.timeout", options.rpcTimeoutMs());
    conf.setInt("hbase.rpc.write.timeout", options.rpcTimeoutMs());
    conf.setInt("hbase.client.operation.timeout", options.operationTimeoutMs());
    conf.setInt("hbase.client.meta.operation.timeout", options.operationTimeoutMs());
    conf.setInt("hbase.client.scanner.timeout.period", options.operationTimeoutMs());
    // Grows to 200 times this: a request for a region that moves is a second late at most.
    conf.setInt("hbase.client.pause", 5);
    conf.setInt("hbase.client.pause.server.overloaded", 20);
    // The time limits end it long before.
    conf.setInt("hbase.client.retries.number", 1_000);
    conf.setInt("hbase.client.start.log.errors.counter", 1_000);
    conf.setInt("hbase.ipc.client.socket.timeout.connect", 2_000);
    conf.setInt("hbase.ipc.client.failed.servers.expiry", 200);
    conf.setBoolean("hbase.ipc.client.tcpnodelay", true);
    options.clientSettings().forEach(conf::set);
    NetworkThreads.use(conf);
    return conf;
  }

  private static <T> T get(Future<T> future, long deadlineNs)
      throws ExecutionException, TimeoutException {
    try {
      long leftNs = Math.max(deadlineNs - System.nanoTime(), 1);
      return future.get(leftNs, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StoreException("Interrupted while connecting to HBase", e);
    }
  }

  private static void pause(long millis) {
    Backoff.pause(millis * 1_000);
  }

  public static void closeQuietly(@Nullable AsyncConnection connection) {
    if (connection == null) {
      return;
    }
    try {
      connection.close();
    } catch (IOException e) {
      LOG.warn("A connection to HBase did not close", e);
    }
  }
}
