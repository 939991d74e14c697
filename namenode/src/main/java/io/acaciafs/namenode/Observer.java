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
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.audit.AuditedCalls;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.calls.AclCalls;
import io.acaciafs.namenode.calls.ChecksBeforeSafeMode;
import io.acaciafs.namenode.calls.ListingCalls;
import io.acaciafs.namenode.calls.NamespaceCalls;
import io.acaciafs.namenode.calls.ReadingCalls;
import io.acaciafs.namenode.calls.StoragePolicyCalls;
import io.acaciafs.namenode.calls.SummaryCalls;
import io.acaciafs.namenode.calls.SymlinkCalls;
import io.acaciafs.namenode.calls.XAttrCalls;
import io.acaciafs.namenode.ha.ObserverCalls;
import io.acaciafs.namenode.process.ElapsedClock;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.BlockLocations;
import io.acaciafs.namenode.reply.SafeModeGuard;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.time.Clock;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
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

  /**
   * @param resources end it
   * @throws io.acaciafs.kv.StoreException when the replica cannot be read now
   */
  Observer(Configuration conf, ClusterIdentity identity, Replica replica, ResourceStack resources)
      throws IOException {
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
    ThreadPoolExecutor continuations =
        Threads.owned(
            resources,
            Threads.pool("observer-continuation", CONTINUATION_THREADS, CONTINUATION_QUEUE));
    AuditLog auditLog = resources.add(AuditLog.start(conf));
    TopUsers topUsers = new TopUsers(conf, elapsed::millis);
    timer.scheduleWithFixedDelay(topUsers::flush, 1, 1, TimeUnit.SECONDS);
    audited = new AuditedCalls(auditLog, topUsers);
    calls =
        new ObserverCalls(
            reads(conf, namespace, auditLog, resources), blocks, replica, continuations);
    long periodMs = blocks.nodesLastMs();
    timer.scheduleWithFixedDelay(this::refresh, periodMs, periodMs, TimeUnit.MILLISECONDS);
  }

  private RpcProtocol reads(
      Configuration conf, Namespace namespace, AuditLog auditLog, ResourceStack resources)
      throws IOException {
    Answers answers = new Answers(namespace, auditLog::isOn);
    BlockLocations locations = BlockLocations.ofObserver(blocks);
    boolean symlinks = NamespaceConfig.symlinksEnabled(conf);
    SafeModeGuard neverOn =
        new SafeModeGuard(
            blocks.safeMode(),
            DFSUtilClient.getNNAddress(conf).getHostName(),
            new ChecksBeforeSafeMode(
                answers.callers(), namespace.settings().features().ownerSetsQuota(), symlinks));
    Executor longOperations = Threads.owned(resources, LongOperations.pool(conf));
    RpcProtocol.Builder client =
        RpcProtocol.builder(
            Protocols.CLIENT_PROTOCOL,
            1,
            ClientNamenodeProtocol.newReflectiveBlockingService(null));
    new NamespaceCalls(answers, locations, longOperations).register(client);
    new SymlinkCalls(answers, symlinks).register(client);
    new SummaryCalls(answers, LongOperations.subtreeCounter(conf, namespace, resources))
        .register(client);
    new StoragePolicyCalls(answers).register(client);
    new ListingCalls(
            answers,
            locations,
            blocks,
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_BATCHED_LISTING_LIMIT,
                DFSConfigKeys.DFS_NAMENODE_BATCHED_LISTING_LIMIT_DEFAULT))
        .register(client);
    new XAttrCalls(answers).register(client);
    new AclCalls(answers).register(client);
    new ReadingCalls(answers, locations, neverOn, Clock.systemUTC()).register(client);
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

  /** Writes down the calls that are answered here. */
  AuditedCalls audited() {
    return audited;
  }
}
