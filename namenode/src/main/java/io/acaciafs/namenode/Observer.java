package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.placement.FilePolicies;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.audit.AuditedCalls;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.calls.Heartbeats;
import io.acaciafs.namenode.ha.ObserverCalls;
import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namenode.process.ElapsedClock;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.RoutedClients;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.token.DelegationTokens;
import io.acaciafs.namenode.token.ReplicaTokens;
import io.acaciafs.namenode.token.TokenSettings;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocol.proto.DatanodeProtocolProtos.HeartbeatRequestProto;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a NameNode that stands by needs to answer reads: namespace and blocks on what its replica
 * has applied, put together as {@link Assembly} does it for the one that leads. Writes nothing.
 */
final class Observer {
  private static final Logger LOG = LoggerFactory.getLogger(Observer.class);
  private static final String NOT_REFRESHED = "DataNodes could not be read, will try again";
  private static final int CONTINUATION_THREADS = 2;
  private static final int CONTINUATION_QUEUE = 10_000;
  private static final int BLOCK_TIMER_THREADS = 2;

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final Clock elapsed = new ElapsedClock();
  private final BlockManager blocks;
  private final ObserverCalls calls;
  private final AuditedCalls audited;
  private final DelegationTokens tokens;
  private final ReconfigurationCalls.Followers followers;
  private final Replica replica;

  /**
   * @param provider decides what users may do; null: HDFS's rules do
   * @param resources end it
   * @throws io.acaciafs.kv.StoreException when the replica cannot be read now
   */
  Observer(
      Configuration conf,
      ClusterIdentity identity,
      Replica replica,
      @Nullable AttributeProvider provider,
      ResourceStack resources)
      throws IOException {
    this.replica = replica;
    Store store = replica.applied();
    TransactionRunner runner = Transactions.newRunner(store, resources);
    ScheduledExecutorService timer =
        Threads.owned(resources, Threads.scheduler("observer-timer", BLOCK_TIMER_THREADS));
    blocks =
        resources.add(
            new BlockManager(
                identity,
                new BlockContext(
                    runner, identity.blockPoolId(), conf, elapsed, Transactions.newRandom(), timer),
                FilePolicies.NONE, // for repair, which the leader does
                NameNodes.observer()));
    Namespace namespace =
        new Namespace(
            runner,
            NamespaceConfig.namespace(conf).with(NamespaceConfig.directories(conf, store.traits())),
            new BlocksOfFiles(blocks),
            Clock.systemUTC(),
            elapsed);
    tokens =
        new DelegationTokens(
            runner,
            TokenSettings.of(conf),
            Clock.systemUTC(),
            Threads.owned(resources, DelegationTokens.newSlowLookups()));
    ThreadPoolExecutor continuations =
        Threads.owned(
            resources,
            Threads.pool("observer-continuation", CONTINUATION_THREADS, CONTINUATION_QUEUE));
    AuditLog auditLog = resources.add(AuditLog.start(conf));
    TopUsers topUsers = new TopUsers(conf, elapsed::millis);
    timer.scheduleWithFixedDelay(topUsers::flush, 1, 1, TimeUnit.SECONDS);
    audited = new AuditedCalls(auditLog, topUsers);
    followers = new ReconfigurationCalls.Followers(blocks.reconfiguration(), namespace, auditLog);
    calls =
        new ObserverCalls(
            reads(
                conf,
                new Answers(namespace, auditLog::isOn, RoutedClients.of(conf), provider),
                resources),
            heardBy(blocks),
            replica,
            continuations);
    long periodMs = blocks.heartbeatMs();
    timer.scheduleWithFixedDelay(this::refresh, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private static ObserverCalls.Datanodes heardBy(BlockManager blocks) {
    return new ObserverCalls.Datanodes() {
      @Override
      public void heartbeat(HeartbeatRequestProto heartbeat) throws IOException {
        Heartbeats.tell(heartbeat, blocks::hear);
      }

      @Override
      public @Nullable CompletableFuture<DatanodeRegistration> admit(
          DatanodeRegistration registration, String ip) {
        return blocks.tokens().isReady() ? blocks.admit(registration, ip) : null;
      }
    };
  }

  private RpcProtocol reads(Configuration conf, Answers answers, ResourceStack resources)
      throws IOException {
    Executor longOperations = Threads.owned(resources, LongOperations.pool(conf));
    RpcProtocol.Builder client =
        RpcProtocol.builder(
            Protocols.CLIENT_PROTOCOL,
            1,
            ClientNamenodeProtocol.newReflectiveBlockingService(null));
    new Protocols.Reads(
            answers,
            BlockLocations.ofObserver(blocks, answers.callers().clients()),
            blocks,
            Protocols.safeModeGuard(conf, blocks, answers), // never on
            Clock.systemUTC())
        .register(
            client,
            conf,
            longOperations,
            LongOperations.subtreeCounter(conf, answers.namespace(), resources));
    return client.build();
  }

  private void refresh() {
    try {
      blocks.refreshDatanodes();
      failures.succeeded(NOT_REFRESHED);
    } catch (RuntimeException e) { // one that escaped would end all further looks
      failures.failed(NOT_REFRESHED, e);
    }
  }

  ObserverCalls calls() {
    return calls;
  }

  /**
   * Tells which tokens of clients are valid.
   *
   * @param leaderState of the NameNode that leads, at a moment after it was asked for
   */
  ReplicaTokens tokens(Supplier<CompletableFuture<Long>> leaderState) {
    return new ReplicaTokens(tokens, leaderState, replica::await);
  }

  /** Follow what is reread. */
  ReconfigurationCalls.Followers followers() {
    return followers;
  }

  /** Writes down the calls that are answered here. */
  AuditedCalls audited() {
    return audited;
  }
}
