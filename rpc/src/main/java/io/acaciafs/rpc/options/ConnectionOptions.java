package io.acaciafs.rpc.options;

import static io.acaciafs.rpc.options.Ranges.atLeast;

/**
 * The limits of connections. Immutable.
 *
 * @param maxConnections open connections, 0 for any number; the server closes further ones at once
 * @param maxFrameBytes longest request; the server closes the connection of a longer one
 * @param maxCallsInFlight calls in flight of one connection; the server reads its next request when
 *     one of them is answered
 * @param replyHighWaterBytes unread replies of one connection; the server reads its next request
 *     when the client has read some
 * @param idleTimeoutMs a connection without calls is idle after this time. The server closes an
 *     idle connection if the client has not named its user, or if there are more than {@code
 *     idleThreshold} connections. 0: it closes none
 * @param idleThreshold connections that may be idle for any time
 * @param memoryBytes memory budget for all incomplete requests, requests of calls in flight, and
 *     unread replies; one request may take half of it
 */
public record ConnectionOptions(
    int maxConnections,
    int maxFrameBytes,
    int maxCallsInFlight,
    int replyHighWaterBytes,
    long idleTimeoutMs,
    int idleThreshold,
    long memoryBytes) {
  private static final int MIN_MEMORY_BYTES = 1 << 20;

  public ConnectionOptions {
    atLeast(0, maxConnections, "maxConnections");
    atLeast(1, maxFrameBytes, "maxFrameBytes");
    atLeast(1, maxCallsInFlight, "maxCallsInFlight");
    atLeast(1, replyHighWaterBytes, "replyHighWaterBytes");
    atLeast(0, idleTimeoutMs, "idleTimeoutMs");
    atLeast(0, idleThreshold, "idleThreshold");
    atLeast(MIN_MEMORY_BYTES, memoryBytes, "connectionMemoryBytes");
  }
}
