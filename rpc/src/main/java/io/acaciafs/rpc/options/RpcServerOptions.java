package io.acaciafs.rpc.options;

import static org.apache.hadoop.fs.CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH;
import static org.apache.hadoop.fs.CommonConfigurationKeys.IPC_MAXIMUM_DATA_LENGTH_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_CLIENT_IDLETHRESHOLD_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_CLIENT_IDLETHRESHOLD_KEY;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_SERVER_LISTEN_QUEUE_SIZE_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_SERVER_LISTEN_QUEUE_SIZE_KEY;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_SERVER_MAX_CONNECTIONS_DEFAULT;
import static org.apache.hadoop.fs.CommonConfigurationKeysPublic.IPC_SERVER_MAX_CONNECTIONS_KEY;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;

/**
 * How a server listens and what it allows. Immutable; change a copy with {@link #toBuilder()}.
 *
 * @param bindAddress where to listen; port 0 takes a free one
 * @param moreAddresses where to listen besides
 * @param connectionPolicy decides which user may connect for which protocol; null: every user for
 *     every protocol
 * @param transport how sockets are served
 * @param ioThreads network threads; calls of {@code method} and {@code asyncMethod} run on them
 * @param workerThreads threads for calls of {@code blockingMethod}
 * @param mayWait whether any call may wait, also those of {@code method} and {@code asyncMethod}
 *     before they return; then all run on workers, but those of {@code cacheableMethod} only when
 *     they fail with {@code MustWaitException} on a network thread
 * @param workerQueueLimit calls that may wait for a worker; one more is told "Server too busy"
 * @param listenBacklog connections that may wait to be accepted
 * @param maxConnections connections at a time, 0 for any number; one more is closed at once
 * @param maxFrameBytes longest request; a longer one closes its connection
 * @param maxCallsInFlight calls of one connection that may be under way; no more of its requests
 *     are read until one is answered
 * @param replyHighWaterBytes replies that a client has not taken yet, at which the server stops
 *     reading its requests
 * @param idleTimeoutMs after this time a silent connection without calls may be closed: at once if
 *     it has not said who it is, else only if there are more than {@code idleThreshold}; 0 for
 *     never
 * @param idleThreshold connections that may be idle for ever
 * @param replyCacheBytes memory for replies that may be used again, about
 * @param connectionMemoryBytes memory budget for all incomplete requests, requests of calls under
 *     way, and unread replies; one request may take half of it
 * @param closeGraceMs how long calls under way may take once the server closes
 * @param slowCallLog whether calls are logged that take much longer than others
 * @param slowCallThresholdMs and longer than this
 * @param fairness when a user is served apart from the others
 * @param terseExceptions exactly these classes (not their subclasses) are told to clients without a
 *     stack trace
 */
public record RpcServerOptions(
    InetSocketAddress bindAddress,
    List<InetSocketAddress> moreAddresses,
    ConnectionPolicy connectionPolicy,
    Transport.Kind transport,
    int ioThreads,
    int workerThreads,
    int workerQueueLimit,
    boolean mayWait,
    int listenBacklog,
    int maxConnections,
    int maxFrameBytes,
    int maxCallsInFlight,
    int replyHighWaterBytes,
    long idleTimeoutMs,
    int idleThreshold,
    long replyCacheBytes,
    long connectionMemoryBytes,
    long closeGraceMs,
    boolean slowCallLog,
    long slowCallThresholdMs,
    FairnessOptions fairness,
    Set<Class<? extends Throwable>> terseExceptions) {

  public RpcServerOptions {
    atLeast(1, ioThreads, "ioThreads");
    atLeast(1, workerThreads, "workerThreads");
    atLeast(1, workerQueueLimit, "workerQueueLimit");
    atLeast(1, listenBacklog, "listenBacklog");
    atLeast(0, maxConnections, "maxConnections");
    atLeast(1, maxFrameBytes, "maxFrameBytes");
    atLeast(1, maxCallsInFlight, "maxCallsInFlight");
    atLeast(1, replyHighWaterBytes, "replyHighWaterBytes");
    atLeast(0, idleTimeoutMs, "idleTimeoutMs");
    atLeast(0, idleThreshold, "idleThreshold");
    atLeast(0, replyCacheBytes, "replyCacheBytes");
    atLeast(1 << 20, connectionMemoryBytes, "connectionMemoryBytes");
    atLeast(0, closeGraceMs, "closeGraceMs");
    moreAddresses = List.copyOf(moreAddresses);
    terseExceptions = Set.copyOf(terseExceptions);
  }

  private static void atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", is " + value);
    }
  }

  /** Hadoop's defaults, on a free port of the loopback interface. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Hadoop's own settings where it has them ({@code ipc.maximum.data.length}, {@code
   * ipc.server.listen.queue.size}, {@code ipc.server.max.connections}, {@code
   * ipc.client.connection.maxidletime}, {@code ipc.client.idlethreshold}), {@code acacia.rpc.*} for
   * the rest. The address and the terse exceptions are left to the caller.
   */
  public static RpcServerOptions from(Configuration conf) {
    RpcServerOptions defaults = builder().build();
    return builder()
        .transport(
            Transport.Kind.of(
                conf.getTrimmed("acacia.rpc.transport", defaults.transport.toString())))
        .ioThreads(conf.getInt("acacia.rpc.io.threads", defaults.ioThreads))
        .workerThreads(conf.getInt("acacia.rpc.worker.threads", defaults.workerThreads))
        .workerQueueLimit(conf.getInt("acacia.rpc.worker.queue.limit", defaults.workerQueueLimit))
        .listenBacklog(
            conf.getInt(IPC_SERVER_LISTEN_QUEUE_SIZE_KEY, IPC_SERVER_LISTEN_QUEUE_SIZE_DEFAULT))
        .maxConnections(
            conf.getInt(IPC_SERVER_MAX_CONNECTIONS_KEY, IPC_SERVER_MAX_CONNECTIONS_DEFAULT))
        .maxFrameBytes(conf.getInt(IPC_MAXIMUM_DATA_LENGTH, IPC_MAXIMUM_DATA_LENGTH_DEFAULT))
        .maxCallsInFlight(conf.getInt("acacia.rpc.max.calls.in.flight", defaults.maxCallsInFlight))
        .replyHighWaterBytes(
            conf.getInt("acacia.rpc.reply.high.water.bytes", defaults.replyHighWaterBytes))
        // A client closes its idle connections itself; twice its time means that it is gone.
        .idleTimeoutMs(
            2L
                * conf.getInt(
                    IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
                    IPC_CLIENT_CONNECTION_MAXIDLETIME_DEFAULT))
        .idleThreshold(conf.getInt(IPC_CLIENT_IDLETHRESHOLD_KEY, IPC_CLIENT_IDLETHRESHOLD_DEFAULT))
        .replyCacheBytes(conf.getLongBytes("acacia.rpc.reply.cache", defaults.replyCacheBytes))
        .connectionMemoryBytes(
            conf.getLongBytes("acacia.rpc.connection.memory", defaults.connectionMemoryBytes))
        .closeGraceMs(conf.getLong("acacia.rpc.close.grace.ms", defaults.closeGraceMs))
        .slowCallLog(
            conf.getBoolean(
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC,
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_DEFAULT))
        .slowCallThresholdMs(
            conf.getLong(
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_THRESHOLD_MS_KEY,
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_THRESHOLD_MS_DEFAULT))
        .fairness(fairness(conf))
        .build();
  }

  private static FairnessOptions fairness(Configuration conf) {
    FairnessOptions defaults =
        FairnessOptions.defaults(
            conf.getInt("acacia.rpc.io.threads", Runtime.getRuntime().availableProcessors()));
    return new FairnessOptions(
        conf.getBoolean("acacia.rpc.fairness.enabled", defaults.enabled()),
        conf.getBoolean("acacia.rpc.fairness.caller.context", defaults.byContext()),
        conf.getTimeDuration(
            "acacia.rpc.fairness.limit", defaults.limitMs(), TimeUnit.MILLISECONDS),
        conf.getTimeDuration(
            "acacia.rpc.fairness.half-life", defaults.halfLifeMs(), TimeUnit.MILLISECONDS),
        conf.getInt("acacia.rpc.fairness.io.threads", defaults.threads()));
  }

  public Builder toBuilder() {
    return builder()
        .bindAddress(bindAddress)
        .moreAddresses(moreAddresses)
        .connectionPolicy(connectionPolicy)
        .transport(transport)
        .ioThreads(ioThreads)
        .workerThreads(workerThreads)
        .workerQueueLimit(workerQueueLimit)
        .mayWait(mayWait)
        .listenBacklog(listenBacklog)
        .maxConnections(maxConnections)
        .maxFrameBytes(maxFrameBytes)
        .maxCallsInFlight(maxCallsInFlight)
        .replyHighWaterBytes(replyHighWaterBytes)
        .idleTimeoutMs(idleTimeoutMs)
        .idleThreshold(idleThreshold)
        .replyCacheBytes(replyCacheBytes)
        .connectionMemoryBytes(connectionMemoryBytes)
        .closeGraceMs(closeGraceMs)
        .slowCallLog(slowCallLog)
        .slowCallThresholdMs(slowCallThresholdMs)
        .fairness(fairness)
        .terseExceptions(terseExceptions);
  }

  /** Collects options; not for use by several threads. */
  public static final class Builder {
    private InetSocketAddress bindAddress = new InetSocketAddress("127.0.0.1", 0);
    private List<InetSocketAddress> moreAddresses = List.of();
    private ConnectionPolicy connectionPolicy;
    private Transport.Kind transport = Transport.Kind.AUTO;
    private int ioThreads = Math.max(1, Runtime.getRuntime().availableProcessors());
    private int workerThreads = 16;
    private int workerQueueLimit = 1024;
    private boolean mayWait;
    private int listenBacklog = IPC_SERVER_LISTEN_QUEUE_SIZE_DEFAULT;
    private int maxConnections = IPC_SERVER_MAX_CONNECTIONS_DEFAULT;
    private int maxFrameBytes = IPC_MAXIMUM_DATA_LENGTH_DEFAULT;
    private int maxCallsInFlight = 1024;
    private int replyHighWaterBytes = 1 << 20;
    private long idleTimeoutMs = 2L * IPC_CLIENT_CONNECTION_MAXIDLETIME_DEFAULT;
    private int idleThreshold = IPC_CLIENT_IDLETHRESHOLD_DEFAULT;
    private long replyCacheBytes = Runtime.getRuntime().maxMemory() / 8;
    private long connectionMemoryBytes = Runtime.getRuntime().maxMemory() / 8;
    private long closeGraceMs = 2000;
    private boolean slowCallLog;
    private long slowCallThresholdMs;
    private FairnessOptions fairness;
    private Set<Class<? extends Throwable>> terseExceptions = Set.of();

    private Builder() {}

    public Builder bindAddress(InetSocketAddress value) {
      bindAddress = value;
      return this;
    }

    public Builder moreAddresses(List<InetSocketAddress> value) {
      moreAddresses = value;
      return this;
    }

    /** Null: every user may connect for every protocol. */
    public Builder connectionPolicy(ConnectionPolicy value) {
      connectionPolicy = value;
      return this;
    }

    public Builder transport(Transport.Kind value) {
      transport = value;
      return this;
    }

    public Builder ioThreads(int value) {
      ioThreads = value;
      return this;
    }

    public Builder workerThreads(int value) {
      workerThreads = value;
      return this;
    }

    public Builder workerQueueLimit(int value) {
      workerQueueLimit = value;
      return this;
    }

    public Builder mayWait(boolean value) {
      mayWait = value;
      return this;
    }

    public Builder listenBacklog(int value) {
      listenBacklog = value;
      return this;
    }

    public Builder maxConnections(int value) {
      maxConnections = value;
      return this;
    }

    public Builder maxFrameBytes(int value) {
      maxFrameBytes = value;
      return this;
    }

    public Builder maxCallsInFlight(int value) {
      maxCallsInFlight = value;
      return this;
    }

    public Builder replyHighWaterBytes(int value) {
      replyHighWaterBytes = value;
      return this;
    }

    public Builder idleTimeoutMs(long value) {
      idleTimeoutMs = value;
      return this;
    }

    public Builder idleThreshold(int value) {
      idleThreshold = value;
      return this;
    }

    public Builder replyCacheBytes(long value) {
      replyCacheBytes = value;
      return this;
    }

    public Builder connectionMemoryBytes(long value) {
      connectionMemoryBytes = value;
      return this;
    }

    public Builder closeGraceMs(long value) {
      closeGraceMs = value;
      return this;
    }

    public Builder slowCallLog(boolean value) {
      slowCallLog = value;
      return this;
    }

    public Builder slowCallThresholdMs(long value) {
      slowCallThresholdMs = value;
      return this;
    }

    /** Null: the defaults. */
    public Builder fairness(FairnessOptions value) {
      fairness = value;
      return this;
    }

    public Builder terseExceptions(Set<Class<? extends Throwable>> value) {
      terseExceptions = value;
      return this;
    }

    public RpcServerOptions build() {
      return new RpcServerOptions(
          bindAddress,
          moreAddresses,
          connectionPolicy,
          transport,
          ioThreads,
          workerThreads,
          workerQueueLimit,
          mayWait,
          listenBacklog,
          maxConnections,
          maxFrameBytes,
          maxCallsInFlight,
          replyHighWaterBytes,
          idleTimeoutMs,
          idleThreshold,
          replyCacheBytes,
          connectionMemoryBytes,
          closeGraceMs,
          slowCallLog,
          slowCallThresholdMs,
          fairness == null ? FairnessOptions.defaults(ioThreads) : fairness,
          terseExceptions);
    }
  }
}
