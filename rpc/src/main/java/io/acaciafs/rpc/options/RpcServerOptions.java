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

import io.acaciafs.rpc.sasl.Authentication;
import io.acaciafs.settings.SettingSource;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.jspecify.annotations.Nullable;

/**
 * All options of a server, in groups. Immutable; change a copy with {@link #toBuilder()}.
 *
 * @param connectionPolicy decides which user may connect for which protocol; null: every user may
 *     connect for every protocol
 * @param authentication how clients prove who they are; null: each is believed
 */
public record RpcServerOptions(
    ListenOptions listen,
    ThreadOptions threads,
    ConnectionOptions connections,
    CallOptions calls,
    FairnessOptions fairness,
    @Nullable ConnectionPolicy connectionPolicy,
    @Nullable Authentication authentication) {

  /**
   * Hadoop's default is 256. After a restart thousands of DataNodes and clients connect at once;
   * the kernel drops those that find the queue full, and they come again after 1, 3, 7 and 15
   * seconds.
   */
  private static final int LEAST_BACKLOG = 4096;

  /** Nearly Hadoop's defaults, on a free port of the loopback interface. */
  public static Builder builder() {
    return new Builder();
  }

  /**
   * Reads the configuration: Hadoop's own settings if there are any ({@code
   * ipc.maximum.data.length}, {@code ipc.server.listen.queue.size}, {@code
   * ipc.server.max.connections}, {@code ipc.client.connection.maxidletime}, {@code
   * ipc.client.idlethreshold}), {@code acacia.rpc.*} for the rest. It sets neither the address nor
   * the terse exceptions.
   */
  public static RpcServerOptions from(Configuration conf) {
    SettingSource site = conf::getTrimmed;
    return builder()
        .listenBacklog(
            Math.max(
                LEAST_BACKLOG,
                conf.getInt(
                    IPC_SERVER_LISTEN_QUEUE_SIZE_KEY, IPC_SERVER_LISTEN_QUEUE_SIZE_DEFAULT)))
        .transport(RpcConfigKeys.TRANSPORT.in(site))
        .ioThreads(RpcConfigKeys.IO_THREADS.in(site))
        .workerThreads(RpcConfigKeys.WORKER_THREADS.in(site))
        .workerQueueLimit(RpcConfigKeys.WORKER_QUEUE_LIMIT.in(site))
        .maxConnections(
            conf.getInt(IPC_SERVER_MAX_CONNECTIONS_KEY, IPC_SERVER_MAX_CONNECTIONS_DEFAULT))
        .maxFrameBytes(conf.getInt(IPC_MAXIMUM_DATA_LENGTH, IPC_MAXIMUM_DATA_LENGTH_DEFAULT))
        .maxCallsInFlight(RpcConfigKeys.MAX_CALLS_IN_FLIGHT.in(site))
        .replyHighWaterBytes(RpcConfigKeys.REPLY_HIGH_WATER.in(site))
        // A client closes its idle connections itself; twice its time means that it is gone.
        .idleTimeoutMs(
            2L
                * conf.getInt(
                    IPC_CLIENT_CONNECTION_MAXIDLETIME_KEY,
                    IPC_CLIENT_CONNECTION_MAXIDLETIME_DEFAULT))
        .idleThreshold(conf.getInt(IPC_CLIENT_IDLETHRESHOLD_KEY, IPC_CLIENT_IDLETHRESHOLD_DEFAULT))
        .connectionMemoryBytes(RpcConfigKeys.CONNECTION_MEMORY.in(site))
        .replyCacheBytes(RpcConfigKeys.REPLY_CACHE.in(site))
        .closeGraceMs(RpcConfigKeys.CLOSE_GRACE.in(site))
        .slowCallLog(
            conf.getBoolean(
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC,
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_DEFAULT))
        .slowCallThresholdMs(
            conf.getLong(
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_THRESHOLD_MS_KEY,
                CommonConfigurationKeysPublic.IPC_SERVER_LOG_SLOW_RPC_THRESHOLD_MS_DEFAULT))
        .fairness(fairness(site))
        .build();
  }

  private static FairnessOptions fairness(SettingSource site) {
    return new FairnessOptions(
        RpcConfigKeys.FAIRNESS_ENABLED.in(site),
        RpcConfigKeys.FAIRNESS_BY_CONTEXT.in(site),
        RpcConfigKeys.FAIRNESS_LIMIT.in(site),
        RpcConfigKeys.FAIRNESS_HALF_LIFE.in(site),
        RpcConfigKeys.FAIRNESS_IO_THREADS.in(site, RpcConfigKeys.IO_THREADS.in(site)));
  }

  public Builder toBuilder() {
    return builder()
        .bindAddress(listen.address())
        .moreAddresses(listen.moreAddresses())
        .auxiliaryAddresses(listen.auxiliaryAddresses())
        .listenBacklog(listen.backlog())
        .transport(threads.transport())
        .ioThreads(threads.ioThreads())
        .workerThreads(threads.workerThreads())
        .workerQueueLimit(threads.workerQueueLimit())
        .serviceProtocols(threads.serviceProtocols())
        .maxConnections(connections.maxConnections())
        .maxFrameBytes(connections.maxFrameBytes())
        .maxCallsInFlight(connections.maxCallsInFlight())
        .replyHighWaterBytes(connections.replyHighWaterBytes())
        .idleTimeoutMs(connections.idleTimeoutMs())
        .idleThreshold(connections.idleThreshold())
        .connectionMemoryBytes(connections.memoryBytes())
        .mayWait(calls.mayWait())
        .replyCacheBytes(calls.replyCacheBytes())
        .closeGraceMs(calls.closeGraceMs())
        .slowCallLog(calls.slowCallLog())
        .slowCallThresholdMs(calls.slowCallThresholdMs())
        .terseExceptions(calls.terseExceptions())
        .fairness(fairness)
        .connectionPolicy(connectionPolicy)
        .authentication(authentication);
  }

  /** Collects options; not for use by several threads. */
  public static final class Builder {
    private InetSocketAddress bindAddress = new InetSocketAddress("127.0.0.1", 0);
    private List<InetSocketAddress> moreAddresses = List.of();
    private List<InetSocketAddress> auxiliaryAddresses = List.of();
    private @Nullable ConnectionPolicy connectionPolicy;
    private @Nullable Authentication authentication;
    private Transport.Kind transport = Transport.Kind.AUTO;
    private int ioThreads = Math.max(1, Runtime.getRuntime().availableProcessors());
    private int workerThreads = 16;
    private int workerQueueLimit = 1024;
    private Set<String> serviceProtocols = Set.of();
    private boolean mayWait;
    private int listenBacklog = LEAST_BACKLOG;
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
    private @Nullable FairnessOptions fairness;
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

    public Builder auxiliaryAddresses(List<InetSocketAddress> value) {
      auxiliaryAddresses = value;
      return this;
    }

    /** Null: every user may connect for every protocol. */
    public Builder connectionPolicy(@Nullable ConnectionPolicy value) {
      connectionPolicy = value;
      return this;
    }

    /** Null: every client is believed who it says it is. */
    public Builder authentication(@Nullable Authentication value) {
      authentication = value;
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

    public Builder serviceProtocols(Set<String> value) {
      serviceProtocols = value;
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
          new ListenOptions(bindAddress, moreAddresses, auxiliaryAddresses, listenBacklog),
          new ThreadOptions(
              transport, ioThreads, workerThreads, workerQueueLimit, serviceProtocols),
          new ConnectionOptions(
              maxConnections,
              maxFrameBytes,
              maxCallsInFlight,
              replyHighWaterBytes,
              idleTimeoutMs,
              idleThreshold,
              connectionMemoryBytes),
          new CallOptions(
              mayWait,
              replyCacheBytes,
              closeGraceMs,
              slowCallLog,
              slowCallThresholdMs,
              terseExceptions),
          fairness == null ? FairnessOptions.defaults(ioThreads) : fairness,
          connectionPolicy,
          authentication);
    }
  }
}
