package io.acaciafs.rpc.connection;

import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.rpc.options.ConnectionOptions;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** The open connections of a server, and how many there may be. Safe for use by many threads. */
final class OpenConnections {
  private final ConnectionOptions options;
  private final RpcMetrics metrics;
  private final Set<Member> open = ConcurrentHashMap.newKeySet();
  private volatile boolean closing;

  /** A connection. Any thread may call its methods. */
  interface Member {
    /**
     * Closes the connection if it is idle.
     *
     * @param tooMany whether there are so many connections that idle ones have to go
     */
    void closeIfIdle(long nowNanos, boolean tooMany);

    /**
     * Reads no more requests, and answers the calls in flight.
     *
     * @return completes when the last reply is sent or the connection is closed; never fails
     */
    CompletableFuture<Void> drain();

    /** Closes the connection at once. */
    void close();
  }

  OpenConnections(ConnectionOptions options, RpcMetrics metrics) {
    this.options = options;
    this.metrics = metrics;
  }

  /** A connection is open. Returns false if it has to close at once. */
  boolean opened(Member connection) {
    metrics.connectionOpened();
    open.add(connection);
    if (closing) {
      return false;
    }
    if (options.maxConnections() > 0 && open.size() > options.maxConnections()) {
      metrics.connectionRefused();
      return false;
    }
    return true;
  }

  void closed(Member connection) {
    if (open.remove(connection)) {
      metrics.connectionClosed();
    }
  }

  void closeIdle(long nowNanos) {
    boolean tooMany = open.size() > options.idleThreshold();
    open.forEach(connection -> connection.closeIfIdle(nowNanos, tooMany));
  }

  /** Drains all connections; every connection from now on closes at once. */
  CompletableFuture<Void> drain() {
    closing = true;
    return CompletableFuture.allOf(
        open.stream().map(Member::drain).toArray(CompletableFuture<?>[]::new));
  }

  void close() {
    open.forEach(Member::close);
  }

  int count() {
    return open.size();
  }
}
