package io.acaciafs.namenode;

import io.acaciafs.blocks.BlockManager;
import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.admin.LeaderHealth;
import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.admin.RefreshCallQueueCalls;
import io.acaciafs.namenode.admin.RefreshCalls;
import io.acaciafs.namenode.admin.RefreshPolicyCalls;
import io.acaciafs.namenode.admin.ServiceHealth;
import io.acaciafs.namenode.audit.AuditLog;
import io.acaciafs.namenode.audit.AuditedCalls;
import io.acaciafs.namenode.audit.TopUsers;
import io.acaciafs.namenode.backup.BackupFolder;
import io.acaciafs.namenode.backup.BackupMaker;
import io.acaciafs.namenode.backup.RollbackBackup;
import io.acaciafs.namenode.backup.SharedBackup;
import io.acaciafs.namenode.calls.LifelineCalls;
import io.acaciafs.namenode.calls.NameLimits;
import io.acaciafs.namenode.check.Comparison;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.image.ImageMaker;
import io.acaciafs.namenode.image.ServedExport;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namenode.members.LiveNameNodes;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.ShellPage;
import io.acaciafs.namenode.monitor.StoreHealth;
import io.acaciafs.namenode.monitor.Watched;
import io.acaciafs.namenode.monitor.console.LiveMembers;
import io.acaciafs.namenode.monitor.history.HistoryCalls;
import io.acaciafs.namenode.process.ElapsedClock;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Threads;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.reply.Answers;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.RoutedClients;
import io.acaciafs.namenode.reply.TerseExceptions;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.settings.RpcConfig;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import io.acaciafs.namenode.store.StoreTables;
import io.acaciafs.namenode.token.DelegationTokens;
import io.acaciafs.namenode.token.ExpiredTokens;
import io.acaciafs.namenode.token.RedirectTokens;
import io.acaciafs.namenode.token.TokenSettings;
import io.acaciafs.namenode.token.TokenVerifier;
import io.acaciafs.namenode.webhdfs.WebTokens;
import io.acaciafs.namenode.webuser.WebUsers;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.background.LeaseExchange;
import io.acaciafs.namespace.background.LeaseMonitor;
import io.acaciafs.namespace.background.RetryExpiry;
import io.acaciafs.namespace.background.Splitter;
import io.acaciafs.namespace.background.Sweeper;
import io.acaciafs.namespace.path.PeekedPolicies;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.web.WebPart;
import io.acaciafs.web.WebServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.ipc.RetriableException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a NameNode together on a store that is open, from the bottom to the top: blocks and
 * namespace, what works in the background, RPC, HTTP. Whatever has an end is given to the resources
 * when it is made, so that the end comes in the reverse order. For one thread.
 */
final class Assembly {
  private static final Logger LOG = LoggerFactory.getLogger(NameNode.class);

  /** For what goes on behind a commit, and must not hold up the thread that syncs the log. */
  private static final int CONTINUATION_THREADS = 2;

  /** Where each read waits for the network. */
  private static final int WAITING_CONTINUATION_THREADS = 32;

  private static final int CONTINUATION_QUEUE = 100_000;

  /** More than one, as they also run the site's script that tells racks. */
  private static final int BLOCK_TIMER_THREADS = 4;

  private static final long RETRY_EXPIRY_INTERVAL_MS = 30_000;
  private static final long SPLIT_INTERVAL_MS = 1_000;

  private final Configuration conf;
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final EngineStore store;
  private final Members members;
  private final Leadership leadership;
  private final Comparison comparison;
  private final ResourceStack resources;
  private final boolean isShared;
  private final Lifetime lifetime;
  private final Clock clock = Clock.systemUTC();
  private final Clock elapsed = new ElapsedClock();
  private final NamespaceSettings settings;
  private final TransactionRunner runner;
  private final BlockManager blocks;

  /** Null where no other NameNode can reach the store. */
  private final @Nullable OtherNameNodes others;

  private final Namespace namespace;
  private final DelegationTokens tokens;
  private final ThreadPoolExecutor longOperations;
  private final ThreadPoolExecutor continuations;
  private final AuditLog auditLog;
  private final TopUsers topUsers;
  private final AuditedCalls audited;
  private final RpcProtocol clientProtocol;
  private final RpcServer rpcServer;
  private final WebServer webServer;

  /**
   * @param lifetime of the process
   */
  Assembly(
      Configuration conf,
      ClusterIdentity identity,
      OpenStore opened,
      Front front,
      Lifetime lifetime,
      ResourceStack resources)
      throws IOException {
    this.conf = conf;
    this.identity = identity;
    this.engine = opened.engine();
    this.store = opened.store();
    this.members = opened.members();
    this.leadership = opened.leadership();
    this.comparison = opened.comparison();
    this.resources = resources;
    isShared = engine.isShared();
    this.lifetime = lifetime;
    long openedMs = clock.millis() - lifetime.startedMs();
    settings =
        NamespaceConfig.namespace(conf).with(NamespaceConfig.directories(conf, store.traits()));
    runner = Transactions.newRunner(store, resources);
    blocks = resources.add(newBlocks());
    OtherNameNodes shared =
        isShared
            ? OtherNameNodes.connect(conf, store, members, blocks.upgrades(), resources)
            : null;
    others = shared;
    namespace =
        new Namespace(
            runner,
            settings,
            new BlocksOfFiles(blocks),
            clock,
            elapsed,
            shared == null ? null : shared.directoryLeases(),
            shared == null ? null : shared.revocation());
    namespace
        .protectedDirectories()
        .set(NamespaceConfig.protectedDirectories(conf), NamespaceConfig.protectsBelow(conf));
    tokens =
        new DelegationTokens(
            runner,
            TokenSettings.of(conf),
            clock,
            Threads.owned(resources, DelegationTokens.newSlowLookups()));
    longOperations = Threads.owned(resources, LongOperations.pool(conf));
    continuations =
        Threads.owned(
            resources,
            Threads.pool(
                "continuation",
                store.traits().localReads() ? CONTINUATION_THREADS : WAITING_CONTINUATION_THREADS,
                CONTINUATION_QUEUE));
    ResourceStack parts = resources.add(new ResourceStack()); // closes after what serves it
    webServer =
        resources.add(leadership.isElected() ? WebServer.bindAgain(conf) : WebServer.bind(conf));
    auditLog = resources.add(AuditLog.start(conf));
    topUsers = newTopUsers();
    audited = new AuditedCalls(auditLog, topUsers);
    RpcServerOptions options =
        RpcConfig.server(conf, store.traits()).toBuilder()
            .terseExceptions(TerseExceptions.ALL)
            .connectionPolicy(front.authorization())
            .authentication(KerberosLogin.authentication(conf, front.tokens()))
            .build();
    Path nameFolder = NameDirectory.of(conf).folder();
    BackupMaker backups =
        new BackupMaker(identity, engine, this::newCopier, nameFolder, clock, lifetime.running());
    RollbackBackup rollback =
        resources.add(
            new RollbackBackup(
                blocks.upgrades(),
                backups,
                Settings.rollbackFolder(conf, nameFolder),
                members::isFirst));
    List<RpcProtocol> protocols = newProtocols(options, front, backups, rollback);
    protocols.add(new RefreshPolicyCalls(front.authorization()).protocol());
    NameLimits limits = new NameLimits();
    protocols.replaceAll(protocol -> protocol.checkedBy(limits));
    if (shared != null) {
      protocols.add(shared.receiver().protocol()); // whose lists of directories may be long
    }
    clientProtocol = protocols.get(0);
    front.tokens().serve(tokens);
    resources.add(() -> front.tokens().serve(null));
    front
        .reconfiguration()
        .follow(new ReconfigurationCalls.Followers(blocks.reconfiguration(), namespace, auditLog));
    resources.add(() -> front.reconfiguration().follow(null));
    rpcServer = front.server().serve(options, protocols, audited, resources);
    if (shared != null) {
      shared.revocation().begin();
    }
    rollback.start();
    beginBackgroundWork(); // now, as there may be much of it after a crash
    if (TrashEmptier.isWanted(conf)) {
      resources.add(TrashEmptier.start(conf, ownAddress(), members::isFirst));
    }
    Watched watched = watched(openedMs);
    Monitoring monitoring = parts.add(new Monitoring(watched, clock, opened.replica()));
    ConsolePages pages =
        parts.add(
            new ConsolePages(
                watched, monitoring, namespace, front.reconfiguration(), lifetime.running()));
    Console console =
        parts.add(
            new Console(
                conf,
                lifetime,
                front.self() == null ? self(watched) : front.self(),
                ConsoleSources.ofLeader(
                    watched,
                    monitoring,
                    disks(),
                    namespace.leases(),
                    lifetime.warnings(),
                    members,
                    opened.replica(),
                    pages::look)));
    serveHttp(
        front.tokens(),
        List.of(
            monitoring,
            monitoring.overview(
                console::problems,
                () -> isShared ? LiveMembers.of(members) : List.of(),
                console::lastHour),
            console,
            pages));
    LOG.info(
        "NameNode serves address={} http={} clusterId={} blockPoolId={}",
        rpcServer.address(),
        webServer.address(),
        identity.clusterId(),
        identity.blockPoolId());
  }

  RpcServer rpcServer() {
    return rpcServer;
  }

  WebServer webServer() {
    return webServer;
  }

  /** As its own client reaches it. */
  private URI ownAddress() {
    String host = DFSUtilClient.getNNAddress(conf).getHostString();
    return URI.create("hdfs://" + host + ":" + rpcServer.address().getPort());
  }

  private BlockManager newBlocks() throws IOException {
    BlockContext context =
        new BlockContext(
            runner,
            identity.blockPoolId(),
            conf,
            elapsed,
            Transactions.newRandom(),
            Threads.owned(resources, Threads.scheduler("block-timer", BLOCK_TIMER_THREADS)));
    return new BlockManager(
        identity,
        context,
        new PeekedPolicies()::idOf,
        isShared ? new LiveNameNodes(members) : NameNodes.alone(leadership.term()));
  }

  private BackupFolder.Copier newCopier() {
    OtherNameNodes shared = others;
    return shared == null
        ? BackupFolder.copierOf(store, engine)
        : new SharedBackup(
                store,
                engine.title(),
                members,
                shared.snapshots(),
                shared.sender(),
                shared.pauses())
            .copier("acacia-backup-" + clock.millis());
  }

  private void beginBackgroundWork() {
    resources.add(new Sweeper(namespace, Settings.sweepIntervalMs(conf), members::isFirst));
    resources.add(Splitter.start(namespace, SPLIT_INTERVAL_MS, members::isFirst));
    resources.add(new RetryExpiry(namespace, RETRY_EXPIRY_INTERVAL_MS, members::isFirst));
    if (isShared) {
      resources.add(LeaseExchange.start(namespace, Long.toString(members.self().number())));
    }
    resources.add(
        new LeaseMonitor(
            namespace,
            Settings.leaseRecheckIntervalMs(conf),
            () -> blocks.safeMode().isOn() || !members.isFirst()));
    blocks.startRepair();
    resources.add(
        ExpiredTokens.start(tokens, members::isFirst, blocks.safeMode()::isOn, elapsed::millis));
  }

  private ServedExport newExport() throws IOException {
    Path folder = NameDirectory.of(conf).folder().resolve("export.tmp");
    return new ServedExport(
        store
            .checkpoints()
            .map(copies -> new ImageMaker(copies, identity, folder, lifetime.running())),
        clock);
  }

  /** On other servers the store needs no room here. */
  private DiskSpace disks() throws IOException {
    return DiskSpace.of(conf, isShared ? List.of() : List.of(NameDirectory.of(conf).folder()));
  }

  private ServiceHealth newHealth() throws IOException {
    return LeaderHealth.of(conf, new StoreHealth(store), disks(), blocks.safeMode());
  }

  private Console.Self self(Watched watched) {
    return new Console.Self(watched.calls().hostAndPort(), new SharingNameNodes(members));
  }

  private TopUsers newTopUsers() {
    TopUsers users = new TopUsers(conf, elapsed::millis);
    Threads.owned(resources, Threads.scheduler("top-users", 1))
        .scheduleWithFixedDelay(users::flush, 1, 1, TimeUnit.SECONDS);
    return users;
  }

  private List<RpcProtocol> newProtocols(
      RpcServerOptions options, Front front, BackupMaker backups, RollbackBackup rollback)
      throws IOException {
    boolean logsSlowCalls = options.calls().slowCallLog();
    List<RpcProtocol> protocols =
        new ArrayList<>(
            Protocols.of(
                conf,
                new Protocols.Served(
                    store,
                    blocks,
                    tokens,
                    rollback,
                    !isShared && !engine.isReplicated(),
                    newHealth()),
                clock,
                leadership,
                new Protocols.CallThreads(
                    longOperations,
                    LongOperations.subtreeCounter(conf, namespace, resources),
                    continuations),
                new Answers(
                    namespace,
                    () -> logsSlowCalls || auditLog.isOn(),
                    RoutedClients.of(conf),
                    front.provider())));
    protocols.add(new LifelineCalls(blocks).protocol());
    protocols.add(
        RefreshCalls.ofLeader(
                new Callers(settings, front.provider()), backups, newExport(), leadership.role())
            .protocol());
    protocols.add(front.reconfiguration().protocol());
    protocols.add(histories(conf, lifetime).protocol());
    protocols.add(
        new RefreshCallQueueCalls(() -> refreshCallQueue(rpcServer, store.traits())).protocol());
    return protocols;
  }

  /** For other NameNodes that ask for the history of this one. */
  static HistoryCalls histories(Configuration conf, Lifetime lifetime) {
    CallingNameNodes nameNodes = new CallingNameNodes(conf);
    return new HistoryCalls(
        lifetime.history(), call -> nameNodes.require(call, "NameNodes alone ask for histories"));
  }

  /**
   * Rereads when separate threads serve a user.
   *
   * @param server null: it answers some moments before its constructor has returned
   */
  static void refreshCallQueue(@Nullable RpcServer server, Store.Traits traits) throws IOException {
    if (server == null) {
      throw new RetriableException("NameNode still not started");
    }
    long limitMs = RpcConfig.server(configuration(), traits).fairness().limitMs();
    server.setFairnessLimitMs(limitMs);
    LOG.info("Fairness limit reread limitMs={}", limitMs);
  }

  /** As the files say it now. */
  static Configuration configuration() {
    return Settings.ofThisNameNode(new HdfsConfiguration());
  }

  private Watched watched(long openedMs) {
    return new Watched(
        identity,
        new Watched.StoreParts(engine.name(), engine.place(), StoreTables.all(), store, runner),
        blocks,
        new Watched.CallParts(
            rpcServer.address(),
            rpcServer.metrics()::snapshot,
            Map.of("long-operation", longOperations, "continuation", continuations)),
        new Watched.UserParts(rpcServer::userLoads, topUsers, auditLog, tokens::count),
        new Watched.StartTimes(
            lifetime.startedMs(), openedMs, clock.millis() - lifetime.startedMs()),
        elapsed);
  }

  private void serveHttp(TokenVerifier verifier, List<WebPart> monitoring) throws IOException {
    WebUsers users = new WebUsers(conf, WebTokens.verifier(verifier::verify));
    webServer.start(
        List.of(
            WebParts.active(() -> true),
            WebParts.shell(conf, rpcServer.address(), ShellPage.Role.ACTIVE),
            WebParts.webHdfs(
                conf,
                users,
                LocalClients.of(clientProtocol, audited),
                blocks,
                new RedirectTokens(TokenSettings.of(conf), clock, verifier),
                rpcServer.address()),
            WebParts.fsck(
                conf,
                users,
                LocalClients.of(clientProtocol, CallListener.Provider.NONE),
                blocks,
                store,
                settings,
                auditLog),
            WebParts.check(users, store, settings, comparison, lifetime.running()),
            WebParts.image(
                conf, store, identity, NameDirectory.of(conf).folder(), lifetime.running()),
            site -> monitoring.forEach(part -> part.addTo(site))));
  }
}
