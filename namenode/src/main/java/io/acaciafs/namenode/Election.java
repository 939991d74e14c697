package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.blocks.settings.TokenSettings;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.Replica;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.namenode.admin.GroupCalls;
import io.acaciafs.namenode.admin.HaCalls;
import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.admin.RefreshCallQueueCalls;
import io.acaciafs.namenode.admin.RefreshCalls;
import io.acaciafs.namenode.admin.RefreshPolicyCalls;
import io.acaciafs.namenode.admin.ServiceAuthorization;
import io.acaciafs.namenode.admin.ServiceHealth;
import io.acaciafs.namenode.admin.StandbyHealth;
import io.acaciafs.namenode.admin.UserMappingCalls;
import io.acaciafs.namenode.backup.BackupFolder;
import io.acaciafs.namenode.backup.BackupMaker;
import io.acaciafs.namenode.ha.ForwardedCalls;
import io.acaciafs.namenode.ha.Forwarder;
import io.acaciafs.namenode.ha.HaRole;
import io.acaciafs.namenode.ha.HeardDatanodes;
import io.acaciafs.namenode.ha.HedgedCalls;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.ha.MemberAddresses;
import io.acaciafs.namenode.ha.ObserverCalls;
import io.acaciafs.namenode.ha.StandbyProtocols;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.ReplicationBeans;
import io.acaciafs.namenode.monitor.StandbyStart;
import io.acaciafs.namenode.monitor.replication.ReplicationHealth;
import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.reply.TerseExceptions;
import io.acaciafs.namenode.settings.CalledNameNodes;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.settings.RpcConfig;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import io.acaciafs.namenode.token.TokenVerifier;
import io.acaciafs.rpc.RpcServer;
import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.EndedCall;
import io.acaciafs.rpc.protocol.RpcCall;
import io.acaciafs.rpc.protocol.RpcProtocol;
import io.acaciafs.web.Beans;
import io.acaciafs.web.WebServer;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.ha.ServiceFailedException;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.thirdparty.protobuf.Message;
import org.apache.hadoop.util.ExitUtil;
import org.apache.hadoop.util.Time;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One of several NameNodes of which one leads: answers as a standby until this one is elected, then
 * serves, and stands by again when another one leads. The server of calls stays, so that nobody
 * loses a connection. Roles change on a thread of the replica; the rest is for any thread.
 */
final class Election implements Replica.Listener, HaRole, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Election.class);
  private static final Store.Traits LOCAL = new Store.Traits(true, false);
  private static final int PART_OF_MEMORY_FOR_REPORTS = 16;
  private static final long LONGEST_TRANSITION_MS = 10_000;
  private static final long LOOK_AGAIN_MS = 20;
  private static final long LONGEST_MOMENT_MS = 1_000;

  private final Configuration conf;
  private final ClusterIdentity identity;
  private final StoreEngine engine;
  private final @Nullable ServiceAuthorization authorization;
  private final @Nullable AttributeProvider provider;
  private final Lifetime lifetime;
  private final Console.Self self;
  private final HeardDatanodes heard =
      new HeardDatanodes(
          Time::monotonicNow,
          () -> hearsLeader(),
          Runtime.getRuntime().maxMemory() / PART_OF_MEMORY_FOR_REPORTS);
  private final ResourceStack always = new ResourceStack();
  private final TokenVerifier tokens = new TokenVerifier();
  private final MemberAddresses addresses;
  private final Replica replica;
  private final StandbyWeb standbyWeb;
  private final Callers callers;
  private final ReconfigurationCalls reconfiguration;
  private final Forwarder forwarder;
  private final CallingNameNodes nameNodes;
  private final StandbyBackup backups;
  private final List<RpcProtocol> standby;
  private final RpcServer rpcServer;

  /** What this NameNode has while it leads, or while it stands by. */
  private ResourceStack part = new ResourceStack();

  /** Null until this NameNode stands by for the first time. */
  private volatile @Nullable Serving serving;

  /** Answers reads while another NameNode leads; else null. */
  private volatile @Nullable ObserverCalls observerCalls;

  /** Calls of clients, while this NameNode leads; else null. */
  private volatile @Nullable LocalCalls clientCalls;

  /**
   * Opens the replica, and answers as a standby.
   *
   * @param lifetime of the process
   */
  Election(
      Configuration site,
      ClusterIdentity identity,
      StoreEngine engine,
      @Nullable ServiceAuthorization authorization,
      @Nullable AttributeProvider provider,
      Lifetime lifetime)
      throws IOException {
    this.conf = new Configuration(site);
    this.identity = identity;
    this.engine = engine;
    this.authorization = authorization;
    this.provider = provider;
    this.lifetime = lifetime;
    this.addresses = new MemberAddresses(conf, Assembly::configuration, Time::monotonicNow);
    try {
      replica = always.add(engine.replica());
      StandbyStart start =
          new StandbyStart(
              replica::startProgress,
              lifetime.startedMs(),
              System.currentTimeMillis() - lifetime.startedMs());
      forwarder =
          always.add(
              new Forwarder(
                  conf,
                  new CalledNameNodes(conf, Assembly::configuration, Time::monotonicNow)::believing,
                  new Leader(),
                  Time::monotonicNow));
      self =
          new Console.Self(
              replica.status().self(),
              new LedNameNodes(addresses, replica.status().self(), forwarder::user));
      standbyWeb =
          new StandbyWeb(engine.name(), start, replica::status, addresses, lifetime, self, disks());
      callers = new Callers(NamespaceConfig.namespace(conf), provider);
      reconfiguration =
          always.add(new ReconfigurationCalls(callers, conf, Assembly::configuration));
      nameNodes = new CallingNameNodes(conf);
      backups = new StandbyBackup(forwarder, replica, this::runHere, newBackupMaker());
      standby =
          new StandbyProtocols(
                  identity,
                  heard,
                  TokenSettings.of(conf).isEnabled(),
                  administration(),
                  forwarder,
                  this::runHere,
                  () -> observerCalls)
              .all();
      RpcServerOptions options =
          RpcConfig.server(conf, LOCAL).toBuilder()
              .terseExceptions(TerseExceptions.ALL)
              .connectionPolicy(authorization)
              .authentication(KerberosLogin.authentication(conf, tokens))
              .build();
      rpcServer = always.add(RpcServer.start(options, standby));
      Serving first = standBy();
      serving = first;
      always.add(Beans.register(ReplicationBeans.always(replica::status)));
      keepWebPorts(first.webServer().addresses());
    } catch (IOException e) {
      throw always.closeAfter(e);
    } catch (RuntimeException e) {
      throw always.closeAfter(e);
    }
  }

  private DiskSpace disks() throws IOException {
    return DiskSpace.of(conf, List.of(NameDirectory.of(conf).folder()));
  }

  /** What administrators may ask of a NameNode that stands by. */
  private List<RpcProtocol> administration() throws IOException {
    ServiceHealth health = new StandbyHealth(new ReplicationHealth(replica::status), disks());
    return List.of(
        new HaCalls(callers, this, health).protocol(),
        UserMappingCalls.protocol(),
        GroupCalls.protocol(),
        new RefreshPolicyCalls(authorization).protocol(),
        new RefreshCallQueueCalls(() -> Assembly.refreshCallQueue(rpcServer, LOCAL)).protocol(),
        reconfiguration.protocol(),
        Assembly.histories(conf, lifetime).protocol(),
        RefreshCalls.ofStandby(callers, backups::make).protocol());
  }

  private BackupMaker newBackupMaker() throws IOException {
    return new BackupMaker(
        identity,
        engine,
        () -> BackupFolder.copierOf(replica.checkpoints()),
        NameDirectory.of(conf).folder(),
        Clock.systemUTC(),
        lifetime.running());
  }

  /** Where the site lets the system choose, the next part is to have the same port. */
  private void keepWebPorts(Map<String, InetSocketAddress> addresses) {
    addresses.forEach((setting, at) -> conf.set(setting, at.getHostString() + ":" + at.getPort()));
  }

  /** Takes part in elections. */
  void start() throws IOException {
    LoadAhead.beginForTakeOver(this::hearsLeader);
    replica.start(this);
  }

  Serving serving() {
    return Objects.requireNonNull(serving);
  }

  private Serving standBy() throws IOException {
    heard.standBy();
    WebServer web = standbyWeb.start(conf, rpcServer.address(), rpcServer.metrics(), part);
    observe();
    LOG.info("NameNode stands by address={} http={}", rpcServer.address(), web.address());
    return new Serving(rpcServer, web, null);
  }

  /** What goes wrong there takes no more than the reads of observers. */
  private void observe() {
    CallListener.Provider listeners = CallListener.Provider.NONE;
    try {
      Observer observer = new Observer(conf, identity, replica, provider, part);
      part.add(() -> observerCalls = null);
      listeners = StandbyProtocols.listeners(observer.audited());
      part.add(() -> tokens.follow(null));
      tokens.follow(observer.tokens(forwarder::leaderState));
      part.add(() -> reconfiguration.follow(null));
      reconfiguration.follow(observer.followers());
      observerCalls = observer.calls();
    } catch (IOException | StoreException e) {
      LOG.warn("This NameNode answers no reads while it stands by", e);
    }
    rpcServer.serve(standby, listeners, replica::position);
  }

  @Override
  public synchronized void lead(EngineStore store, long term) throws IOException {
    Configuration leading = new Configuration(conf);
    Leadership leadership = new Leadership(this, term, heard);
    if (leadership.isTakeOver()) {
      // DataNodes have reported to the leader before: there is nothing to wait for
      leading.setFloat(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_THRESHOLD_PCT_KEY, 0);
      leading.setInt(DFSConfigKeys.DFS_NAMENODE_SAFEMODE_MIN_DATANODES_KEY, 0);
    }
    endPart();
    try {
      Assembly assembly =
          new Assembly(
              leading,
              identity,
              new OpenStore(
                  engine, store, engine.join(store), leadership, replica::status, replica::compare),
              new Front(
                  authorization,
                  provider,
                  reconfiguration,
                  tokens,
                  (options, protocols, all, resources) -> {
                    CallListener.Provider listeners = HedgedCalls.once(all);
                    RpcProtocol client = new HedgedCalls().of(protocols.get(0));
                    protocols.set(0, client);
                    return serve(
                        new ForwardedCalls(
                            client,
                            listeners,
                            this::requireNameNode,
                            replica::transfer,
                            term,
                            replica::position,
                            () -> store.begin().validate()),
                        protocols,
                        listeners,
                        resources);
                  },
                  self),
              lifetime,
              part);
      serving = new Serving(rpcServer, assembly.webServer(), store);
    } catch (IOException | RuntimeException e) {
      endPart();
      serving = standBy();
      throw e;
    }
  }

  /** Connections stay when this NameNode leads, and when it leads no more. */
  private RpcServer serve(
      ForwardedCalls forwarded,
      List<RpcProtocol> protocols,
      CallListener.Provider listeners,
      ResourceStack resources) {
    List<RpcProtocol> served = new ArrayList<>(protocols);
    served.add(forwarded.protocol());
    resources.add(this::serveStandby);
    rpcServer.serve(served, listeners, replica::position);
    clientCalls = new LocalCalls(protocols.get(0), listeners);
    return rpcServer;
  }

  /** Without Kerberos a superuser, as NameNodes are: nobody proves to be one. */
  private void requireNameNode(RpcCall call) throws AccessControlException {
    if (!KerberosLogin.isWanted(conf)) {
      callers.checkSuperuser(call);
    }
    nameNodes.require(call, "Calls are handed on by NameNodes alone");
  }

  private void serveStandby() {
    clientCalls = null;
    rpcServer.serve(standby, CallListener.Provider.NONE, replica::position);
  }

  /** Runs a call that waited for a leader, where this NameNode leads now. */
  private @Nullable CompletableFuture<Message> runHere(RpcCall call) {
    LocalCalls calls = clientCalls;
    if (calls == null) {
      return null;
    }
    try {
      return calls.run((EndedCall) call).<Message>thenApply(reply -> reply).toCompletableFuture();
    } catch (Exception e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  /** Whether another NameNode has led a moment ago. */
  private boolean hearsLeader() {
    ReplicaStatus status = replica.status();
    return !status.leader().isEmpty()
        && !status.leader().equals(status.self())
        && status.leaders().silentMs() < LONGEST_MOMENT_MS;
  }

  /** For calls that are handed to it. */
  private final class Leader implements Forwarder.Leader {
    @Override
    public Forwarder.@Nullable Elsewhere elsewhere() {
      ReplicaStatus status = replica.status();
      String leader = status.leader();
      if (leader.isEmpty() || leader.equals(status.self())) {
        return null;
      }
      InetSocketAddress address = addresses.rpc(leader);
      return address == null ? null : new Forwarder.Elsewhere(leader, status.term(), address);
    }

    @Override
    public boolean isHere() {
      return clientCalls != null;
    }
  }

  @Override
  public synchronized void follow() {
    try {
      endPart();
      serving = standBy();
    } catch (IOException e) {
      failed(e);
    }
  }

  private void endPart() throws IOException {
    ResourceStack ending = part;
    part = new ResourceStack();
    ending.close();
  }

  @Override
  public void failed(Throwable cause) {
    LOG.error("This NameNode can take part no more, and ends", cause);
    ExitUtil.halt(1, "This NameNode can take part no more, see its log");
  }

  @Override
  public HAServiceState state() {
    Serving now = serving;
    if (now == null) {
      return HAServiceState.INITIALIZING;
    }
    return now.store() == null ? HAServiceState.STANDBY : HAServiceState.ACTIVE;
  }

  /** Asks again while none leads, as in the moment after another one stepped down. */
  @Override
  public void becomeActive() throws IOException {
    String self = replica.status().self();
    await(HAServiceState.ACTIVE, () -> forwarder.askToHandOver(self));
  }

  @Override
  public void becomeStandby() throws IOException {
    await(HAServiceState.STANDBY, () -> replica.transfer(""));
  }

  @Override
  public void add(String name, String address) throws IOException {
    replica.addMember(name, address);
  }

  @Override
  public void remove(String name) throws IOException {
    replica.removeMember(name);
  }

  /** A step towards another role; what it throws may pass. */
  @FunctionalInterface
  private interface Step {
    void take() throws IOException;
  }

  private void await(HAServiceState wanted, Step step) throws IOException {
    long deadlineMs = Time.monotonicNow() + LONGEST_TRANSITION_MS;
    IOException refusal = null;
    while (state() != wanted) {
      if (Time.monotonicNow() > deadlineMs) {
        throw new ServiceFailedException(
            "This NameNode is not "
                + wanted
                + " after "
                + LONGEST_TRANSITION_MS
                + " ms"
                + (refusal == null ? "" : ": " + refusal.getMessage()));
      }
      try {
        step.take();
      } catch (IOException e) {
        refusal = e;
      }
      try {
        TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new InterruptedIOException("Interrupted while this NameNode changed its role");
      }
    }
  }

  @Override
  public void close() throws IOException {
    always.close(); // a store that leads ends before
    synchronized (this) {
      endPart();
    }
  }
}
