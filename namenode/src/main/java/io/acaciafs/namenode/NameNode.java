package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.run.FailureText;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.namenode.admin.ReconfigurationCalls;
import io.acaciafs.namenode.admin.ServiceAuthorization;
import io.acaciafs.namenode.check.Comparison;
import io.acaciafs.namenode.ha.Leadership;
import io.acaciafs.namenode.members.Members;
import io.acaciafs.namenode.permission.AttributeProvider;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.process.Transactions;
import io.acaciafs.namenode.reply.Callers;
import io.acaciafs.namenode.settings.KerberosLogin;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.settings.Settings;
import io.acaciafs.namenode.settings.SettingsCheck;
import io.acaciafs.namenode.store.BegunFormat;
import io.acaciafs.namenode.store.CheckedSettings;
import io.acaciafs.namenode.store.Engines;
import io.acaciafs.namenode.store.Filling;
import io.acaciafs.namenode.store.NameDirectory;
import io.acaciafs.namenode.store.StoreEngine;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.web.ProxyUserRules;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The NameNode as a whole: what {@code start} opens, {@code close} closes in reverse. Serves its
 * first call as soon as the store is open, whatever the number of files: nothing is loaded or
 * rebuilt.
 *
 * <p>Source of what it answers: HDFS 3.5's NameNode.
 */
public final class NameNode implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NameNode.class);
  private static final long FORMAT_SECONDS = 60;

  private final ResourceStack resources;
  private final Supplier<Serving> serving;

  private NameNode(ResourceStack resources, Supplier<Serving> serving) {
    this.resources = resources;
    this.serving = serving;
  }

  /**
   * For a process that is about to {@link #start} one: begins to load what that will need, on a
   * thread of its own, which ends by itself.
   */
  public static void loadAhead() {
    LoadAhead.begin();
  }

  /** Whether the engine keeps the file system on other servers than this one. */
  public static boolean isOnServers(Configuration conf) throws IOException {
    return Engines.chosen(conf).isShared();
  }

  public static boolean isFormatted(Configuration conf) throws IOException {
    return NameDirectory.of(CheckedSettings.of(conf)).isFormatted();
  }

  /** dfs.namenode.name.dir, as an absolute path. */
  public static Path folder(Configuration conf) throws IOException {
    return NameDirectory.of(CheckedSettings.of(conf)).folder();
  }

  /**
   * Whether a format would destroy nothing: the folder holds no files, formatted or not, or those
   * of a format that did not come to its end.
   */
  public static boolean isEmpty(Configuration conf) throws IOException {
    return isEmpty(NameDirectory.of(CheckedSettings.of(conf)));
  }

  private static boolean isEmpty(NameDirectory directory) throws IOException {
    return directory.filling() == Filling.FORMATTING || directory.isEmpty();
  }

  /**
   * Creates an empty namespace in dfs.namenode.name.dir.
   *
   * @param clusterId null: made up
   * @param force removes what is there
   * @throws IOException when the folder holds files already and {@code force} is false
   */
  public static void format(Configuration all, @Nullable String clusterId, boolean force)
      throws IOException {
    Configuration conf = CheckedSettings.of(all);
    new SettingsCheck(conf).requireHonesty();
    KerberosLogin.login(conf); // the superuser owns the root
    org.apache.hadoop.hdfs.server.namenode.NameNode.checkAllowFormat(conf);
    NameDirectory directory = NameDirectory.of(conf);
    directory.refuseBackup();
    if (directory.isFormatted()
        && conf.getBoolean(
            DFSConfigKeys.DFS_REFORMAT_DISABLED, DFSConfigKeys.DFS_REFORMAT_DISABLED_DEFAULT)) {
      throw new IOException(
          "NameNode format aborted as reformat is disabled for this cluster."
              + " (dfs.reformat.disabled)");
    }
    if (!isEmpty(directory) && !force) {
      Filling filling = directory.filling();
      String content =
          directory.isFormatted()
              ? "is formatted already."
              : "holds files already, though it is not formatted.";
      throw new IOException(
          "The folder "
              + directory.folder()
              + " "
              + (filling == null ? content : filling.holds())
              + " To remove all that is in it, say 'acacia format -force'");
    }
    RowKeyLayout layout = StoreEngine.layout(conf);
    try (ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      BegunFormat format = BegunFormat.begin(conf, directory, clusterId, force);
      StoreEngine engine = format.engine();
      directory.beginFilling(Filling.FORMATTING); // behind the store, as that is what may fail
      Store store = resources.add(engine.open());
      engine.introduce(store);
      TransactionRunner runner = Transactions.newRunner(store, resources);
      Namespace.format(runner, NamespaceConfig.namespace(conf), layout, Clock.systemUTC())
          .get(FORMAT_SECONDS, TimeUnit.SECONDS);
      directory.write(format.identity(), engine.name());
      directory.endFilling();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while formatting", e);
    } catch (ExecutionException | TimeoutException | StoreException e) {
      throw new IOException("Could not format " + directory.folder() + ": " + FailureText.of(e), e);
    }
  }

  /**
   * Makes dfs.namenode.name.dir the folder of one more NameNode of a file system that is there, on
   * an engine that several may share.
   *
   * @throws IOException when the folder is formatted, or there is no such file system
   */
  public static void bootstrap(Configuration all) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    new SettingsCheck(conf).requireHonesty();
    KerberosLogin.login(conf);
    NameDirectory directory = NameDirectory.of(conf);
    if (!directory.isEmpty()) {
      throw new IOException(
          "The folder " + directory.folder() + " is in use already. Name another one");
    }
    try (ResourceStack resources = new ResourceStack()) {
      resources.add(directory.lock());
      StoreEngine engine = StoreEngine.of(conf, directory, null);
      directory.write(engine.bootstrap(), engine.name());
    } catch (StoreException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /**
   * Binds dfs.namenode.rpc-address (else fs.defaultFS) and serves. What is served by HTTP, at
   * dfs.namenode.http-address, begins to answer some moments later.
   *
   * @throws IOException with a sentence that says what to do, when the folder is not this
   *     cluster's, is used by another process, or the address is taken
   */
  public static NameNode start(Configuration all) throws IOException {
    Lifetime begun = Lifetime.begin();
    Configuration conf = CheckedSettings.of(all);
    SettingsCheck check = new SettingsCheck(conf);
    check.requireHonesty();
    List<String> warnings =
        Stream.of(check.warning(), CheckedSettings.warning(conf))
            .flatMap(Optional::stream)
            .toList();
    warnings.forEach(LOG::warn);
    Lifetime lifetime = begun.with(warnings);
    UserGroupInformation.setConfiguration(conf);
    ProxyUserRules.forget();
    KerberosLogin.login(conf);
    NameDirectory directory = NameDirectory.of(conf);
    ClusterIdentity identity = directory.read(Settings.clusterId(conf));
    ResourceStack resources = new ResourceStack();
    try {
      resources.add(directory.lock());
      StoreEngine engine = StoreEngine.of(conf, directory, identity);
      if (KerberosLogin.isWanted(conf)) {
        engine.requireProtection();
      }
      engine.requireStore();
      ServiceAuthorization authorization = ServiceAuthorization.of(conf, Assembly::configuration);
      AttributeProvider provider = AttributeProvider.start(conf);
      if (provider != null) {
        resources.add(provider);
      }
      if (engine.isReplicated()) {
        Election election =
            resources.add(new Election(conf, identity, engine, authorization, provider, lifetime));
        election.start();
        return new NameNode(resources, election::serving);
      }
      EngineStore store = resources.add(engine.open());
      engine.introduce(store); // for tables that were formatted before this was written down
      if (!Namespace.isFormatted(store)) {
        throw new IOException(
            "The store "
                + engine.place()
                + " holds no file system, though its folder is formatted. Restore it");
      }
      Members members = resources.add(engine.join(store));
      ReconfigurationCalls reconfiguration =
          resources.add(
              new ReconfigurationCalls(
                  new Callers(NamespaceConfig.namespace(conf), provider),
                  conf,
                  Assembly::configuration));
      Assembly assembly =
          new Assembly(
              conf,
              identity,
              new OpenStore(engine, store, members, Leadership.always(), null, Comparison.NONE),
              Front.own(authorization, provider, reconfiguration),
              lifetime,
              resources);
      Serving always = new Serving(assembly.rpcServer(), assembly.webServer(), store);
      return new NameNode(resources, () -> always);
    } catch (StoreException e) {
      throw resources.closeAfter(new IOException(e.getMessage(), e));
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** Where clients and DataNodes reach it. */
  public InetSocketAddress rpcAddress() {
    return serving.get().rpcServer().address();
  }

  /** Where else it listens for them: dfs.namenode.servicerpc-address and its like. */
  public List<InetSocketAddress> moreRpcAddresses() {
    List<InetSocketAddress> addresses = serving.get().rpcServer().addresses();
    return addresses.subList(1, addresses.size());
  }

  /** Where browsers, WebHDFS and readers of metrics reach it; of HTTPS where there is no HTTP. */
  public InetSocketAddress httpAddress() {
    return serving.get().webServer().address();
  }

  /**
   * What it listens at by HTTP and HTTPS, by the setting that says so: dfs.namenode.http-address,
   * dfs.namenode.https-address, or both, as dfs.http.policy wants.
   */
  public Map<String, InetSocketAddress> webAddresses() {
    return serving.get().webServer().addresses();
  }

  /** Requests to the servers that keep the store, since the start; 0 where there are none. */
  public long storeRequests() {
    EngineStore store = serving.get().store();
    return store == null ? 0 : store.roundTrips().orElse(0);
  }

  @Override
  public void close() throws IOException {
    LOG.info("NameNode stops address={}", rpcAddress());
    resources.close();
    LOG.info("NameNode stopped address={}", rpcAddress());
  }
}
