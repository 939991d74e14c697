package io.acaciafs.namenode;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.namenode.local.LocalClients;
import io.acaciafs.namespace.Namespace;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.settings.DirectorySettings;
import io.acaciafs.namespace.settings.FeatureSettings;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.settings.StoragePolicies;
import io.acaciafs.namespace.summary.SubtreeCounter;
import io.acaciafs.rpc.call.LocalCalls;
import io.acaciafs.rpc.options.RpcServerOptions;
import io.acaciafs.rpc.protocol.CallListener;
import io.acaciafs.rpc.protocol.RpcProtocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.HAUtil;
import org.apache.hadoop.hdfs.HAUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From Hadoop's configuration to what the parts want to know. docs/configuration.md lists all. */
final class Settings {
  private static final Logger LOG = LoggerFactory.getLogger(Settings.class);

  static final String CLUSTER_ID = "acacia.cluster.id";

  private static final String HDFS_DEFAULTS = "hdfs-default.xml";
  private static final String SWEEP_INTERVAL = "acacia.sweep.interval";
  private static final long SWEEP_INTERVAL_MS_DEFAULT = 1000;

  private static final String SPLIT_THRESHOLD = "acacia.directory.split.threshold";
  private static final long SPLIT_THRESHOLD_WHERE_SPREAD = 20_000;

  private static final String LONG_OPERATION_THREADS = "acacia.long.operation.threads";
  private static final int LONG_OPERATION_THREADS_DEFAULT = 4;
  private static final String SUMMARY_THREADS = "acacia.content.summary.threads";
  private static final String LONG_OPERATION_QUEUE = "acacia.long.operation.queue";
  private static final int LONG_OPERATION_QUEUE_DEFAULT = 256;

  private static final String RPC_WORKER_THREADS = "acacia.rpc.worker.threads";

  /** Where every call waits for the network. */
  private static final int WAITING_WORKER_THREADS_DEFAULT = 512;

  static final String LAYOUT = "acacia.namespace.layout";

  private static final String MEMBER_LEASE = "acacia.namenode.lease";
  private static final long MEMBER_LEASE_MS_DEFAULT = 10_000;

  private static final String SYMLINKS_ENABLED = "acacia.symlinks.enabled";

  private static final Duration LOCAL_CALL_PATIENCE = Duration.ofMinutes(5);

  private Settings() {}

  /**
   * The settings of this NameNode, where those of all NameNodes of a nameservice stand in one file:
   * dfs.namenode.rpc-address.SERVICE.ID and others become dfs.namenode.rpc-address, as in HDFS.
   * Which one it is says dfs.ha.namenode.id, or which address is this machine's.
   */
  static Configuration ofThisNameNode(Configuration all) {
    if (all.getTrimmed(DFSConfigKeys.DFS_NAMESERVICES, "").isEmpty()) {
      return all;
    }
    Configuration own = new Configuration(all);
    String service = DFSUtil.getNamenodeNameServiceId(own);
    String id = HAUtil.isHAEnabled(own, service) ? HAUtil.getNameNodeId(own, service) : null;
    org.apache.hadoop.hdfs.server.namenode.NameNode.initializeGenericKeys(own, service, id);
    return own;
  }

  static NamespaceSettings namespace(Configuration conf) throws IOException {
    return new NamespaceSettings(
        UserGroupInformation.getCurrentUser().getShortUserName(),
        conf.get(
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_SUPERUSERGROUP_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ENABLED_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_COMPONENT_LENGTH_DEFAULT),
        maxDirectoryItems(conf),
        conf.getLongBytes(
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_KEY,
            (int) DFSConfigKeys.DFS_NAMENODE_MAX_BLOCKS_PER_FILE_DEFAULT),
        (short)
            conf.getInt(
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_KEY,
                DFSConfigKeys.DFS_NAMENODE_REPLICATION_MIN_DEFAULT),
        (short)
            conf.getInt(
                DFSConfigKeys.DFS_REPLICATION_MAX_KEY, DFSConfigKeys.DFS_REPLICATION_MAX_DEFAULT),
        conf.getLong(
            DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_KEY,
            DFSConfigKeys.DFS_NAMENODE_ACCESSTIME_PRECISION_DEFAULT),
        conf.getInt(DFSConfigKeys.DFS_LIST_LIMIT, DFSConfigKeys.DFS_LIST_LIMIT_DEFAULT),
        TimeUnit.SECONDS.toMillis(
            conf.getLong(
                HdfsClientConfigKeys.DFS_LEASE_HARDLIMIT_KEY,
                HdfsClientConfigKeys.DFS_LEASE_HARDLIMIT_DEFAULT)),
        retryExpiryMs(conf),
        features(conf),
        DirectorySettings.DEFAULTS);
  }

  /** fs.protected.directories, of which HDFS passes over the same: those that are no path here. */
  static List<String> protectedDirectories(Configuration conf) {
    String key = CommonConfigurationKeysPublic.FS_PROTECTED_DIRECTORIES;
    List<String> directories = new ArrayList<>();
    for (String named : conf.getTrimmedStringCollection(key)) {
      Path path = new Path(named);
      if (path.isAbsoluteAndSchemeAuthorityNull() && !isReserved(path)) {
        directories.add(path.toString());
      } else {
        LOG.error("{} protects nothing at '{}': it is no path of this file system", key, named);
      }
    }
    return directories;
  }

  private static boolean isReserved(Path path) {
    return (path + "/").startsWith("/.reserved/");
  }

  static boolean protectsBelow(Configuration conf) {
    return conf.getBoolean(
        DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE,
        DFSConfigKeys.DFS_PROTECTED_SUBDIRECTORIES_ENABLE_DEFAULT);
  }

  static long retryExpiryMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_RETRY_CACHE_EXPIRYTIME_MILLIS_KEY,
        DFSConfigKeys.DFS_NAMENODE_RETRY_CACHE_EXPIRYTIME_MILLIS_DEFAULT);
  }

  /** How directories grow: over several buckets where these lie on several servers. */
  static DirectorySettings directories(Configuration conf, Store.Traits store) throws IOException {
    long threshold =
        conf.getLong(SPLIT_THRESHOLD, store.partitionsSpread() ? SPLIT_THRESHOLD_WHERE_SPREAD : 0);
    if (threshold < 0) {
      throw new IOException(
          SPLIT_THRESHOLD + " is a number of entries, or 0 for never, and not: " + threshold);
    }
    return new DirectorySettings(1, threshold);
  }

  private static FeatureSettings features(Configuration conf) throws IOException {
    int maxXAttrSizeBytes =
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_DEFAULT);
    if (maxXAttrSizeBytes <= 0
        || maxXAttrSizeBytes > DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_HARD_LIMIT) {
      throw new IOException(
          DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_KEY
              + " is not between 1 and "
              + DFSConfigKeys.DFS_NAMENODE_MAX_XATTR_SIZE_HARD_LIMIT
              + ": "
              + maxXAttrSizeBytes);
    }
    return new FeatureSettings(
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_ACLS_ENABLED_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_POSIX_ACL_INHERITANCE_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_POSIX_ACL_INHERITANCE_ENABLED_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_KEY,
            DFSConfigKeys.DFS_NAMENODE_XATTRS_ENABLED_DEFAULT),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_KEY,
            DFSConfigKeys.DFS_NAMENODE_MAX_XATTRS_PER_INODE_DEFAULT),
        maxXAttrSizeBytes,
        conf.getBoolean(
            DFSConfigKeys.DFS_STORAGE_POLICY_ENABLED_KEY,
            DFSConfigKeys.DFS_STORAGE_POLICY_ENABLED_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_STORAGE_POLICY_PERMISSIONS_SUPERUSER_ONLY_KEY,
            DFSConfigKeys.DFS_STORAGE_POLICY_PERMISSIONS_SUPERUSER_ONLY_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_QUOTA_BY_STORAGETYPE_ENABLED_KEY,
            DFSConfigKeys.DFS_QUOTA_BY_STORAGETYPE_ENABLED_DEFAULT),
        conf.getBoolean(
            DFSConfigKeys.DFS_PERMISSIONS_ALLOW_OWNER_SET_QUOTA_KEY,
            DFSConfigKeys.DFS_PERMISSIONS_ALLOW_OWNER_SET_QUOTA_DEFAULT),
        new StoragePolicies(
            conf.getEnum(
                DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY,
                DFSConfigKeys.DFS_STORAGE_DEFAULT_POLICY_DEFAULT)),
        conf.getInt(
            DFSConfigKeys.DFS_NAMENODE_LIST_OPENFILES_NUM_RESPONSES,
            DFSConfigKeys.DFS_NAMENODE_LIST_OPENFILES_NUM_RESPONSES_DEFAULT));
  }

  /** Not HDFS's default of a million: directories have no limit here unless one is asked for. */
  static int maxDirectoryItems(Configuration conf) {
    String key = DFSConfigKeys.DFS_NAMENODE_MAX_DIRECTORY_ITEMS_KEY;
    String[] sources = conf.getPropertySources(key);
    boolean isDefault = sources == null || sources[sources.length - 1].equals(HDFS_DEFAULTS);
    int items = isDefault ? 0 : conf.getInt(key, 0);
    if (items < 0) {
      throw new IllegalArgumentException("Cannot set " + key + " to a value less than 1");
    }
    return items;
  }

  /** HDFS has no setting: there it is a static method, which only tests call. */
  static boolean symlinksEnabled(Configuration conf) {
    return conf.getBoolean(SYMLINKS_ENABLED, false);
  }

  static long sweepIntervalMs(Configuration conf) {
    return conf.getTimeDuration(SWEEP_INTERVAL, SWEEP_INTERVAL_MS_DEFAULT, TimeUnit.MILLISECONDS);
  }

  static long leaseRecheckIntervalMs(Configuration conf) {
    return conf.getLong(
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_KEY,
        DFSConfigKeys.DFS_NAMENODE_LEASE_RECHECK_INTERVAL_MS_DEFAULT);
  }

  /**
   * Where a new namespace places its directories: beside each other where one machine has them all,
   * if nothing else is said.
   *
   * @throws IOException for an unknown layout
   */
  static RowKeyLayout layout(Configuration conf) throws IOException {
    RowKeyLayout usual =
        Engines.chosen(conf).isShared() ? RowKeyLayout.SPREAD : RowKeyLayout.LOCALITY;
    try {
      return RowKeyLayout.of(conf.getTrimmed(LAYOUT, usual.label()));
    } catch (IllegalArgumentException e) {
      throw new IOException(LAYOUT + ": " + e.getMessage(), e);
    }
  }

  /** After what time of silence the other NameNodes take one for dead. */
  static long memberLeaseMs(Configuration conf) {
    return conf.getTimeDuration(MEMBER_LEASE, MEMBER_LEASE_MS_DEFAULT, TimeUnit.MILLISECONDS);
  }

  /** Threads for what may walk a whole subtree. */
  static ThreadPoolExecutor longOperations(Configuration conf) {
    return Threads.pool(
        "long-operation",
        conf.getInt(LONG_OPERATION_THREADS, LONG_OPERATION_THREADS_DEFAULT),
        conf.getInt(LONG_OPERATION_QUEUE, LONG_OPERATION_QUEUE_DEFAULT));
  }

  /** Threads that count what is below directories, as many as may be of use. */
  static SubtreeCounter subtreeCounter(
      Configuration conf, Namespace namespace, ResourceStack resources) {
    int threads = conf.getInt(SUMMARY_THREADS, Runtime.getRuntime().availableProcessors());
    int walks = conf.getInt(LONG_OPERATION_QUEUE, LONG_OPERATION_QUEUE_DEFAULT);
    return namespace.subtreeCounter(
        Threads.owned(
            resources,
            Threads.pool("content-summary", threads, SubtreeCounter.tasks(threads, walks))),
        threads,
        walks);
  }

  /**
   * Where to listen: the address that clients use, on dfs.namenode.rpc-bind-host if that is set.
   */
  static RpcServerOptions rpc(Configuration conf, Store.Traits store) {
    InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
    String bindHost = conf.getTrimmed(DFSConfigKeys.DFS_NAMENODE_RPC_BIND_HOST_KEY);
    if (bindHost != null && !bindHost.isEmpty()) {
      address = new InetSocketAddress(bindHost, address.getPort());
    }
    RpcServerOptions options = RpcServerOptions.from(conf);
    int workers = conf.getInt(RPC_WORKER_THREADS, WAITING_WORKER_THREADS_DEFAULT);
    return options.toBuilder()
        .mayWait(!store.localReads())
        .workerThreads(store.localReads() ? options.threads().workerThreads() : workers)
        .bindAddress(address)
        .moreAddresses(moreRpcAddresses(conf, address.getHostString()))
        .terseExceptions(Protocols.TERSE_EXCEPTIONS)
        .build();
  }

  /** What HDFS has servers of their own for; here each port serves all. */
  private static List<InetSocketAddress> moreRpcAddresses(Configuration conf, String rpcHost) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    addServer(
        addresses,
        conf,
        DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_ADDRESS_KEY,
        DFSConfigKeys.DFS_NAMENODE_SERVICE_RPC_BIND_HOST_KEY);
    addServer(
        addresses,
        conf,
        DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_ADDRESS_KEY,
        DFSConfigKeys.DFS_NAMENODE_LIFELINE_RPC_BIND_HOST_KEY);
    for (int port : conf.getInts(DFSConfigKeys.DFS_NAMENODE_RPC_ADDRESS_AUXILIARY_KEY)) {
      addresses.add(new InetSocketAddress(rpcHost, port));
    }
    return addresses;
  }

  private static void addServer(
      List<InetSocketAddress> addresses, Configuration conf, String addressKey, String hostKey) {
    String named = conf.getTrimmed(addressKey, "");
    if (!named.isEmpty()) {
      InetSocketAddress address = DFSUtilClient.getNNAddress(named);
      String bindHost = conf.getTrimmed(hostKey, "");
      addresses.add(
          bindHost.isEmpty() ? address : new InetSocketAddress(bindHost, address.getPort()));
    }
  }

  /** Calls from inside the process, which wait as long as a client would. */
  static LocalClients localClients(RpcProtocol clientProtocol, CallListener.Provider listeners) {
    return new LocalClients(new LocalCalls(clientProtocol, listeners), LOCAL_CALL_PATIENCE);
  }

  /**
   * By what name a DataNode finds this NameNode that is told of it by a client: as the site's own
   * configuration calls it, but with the port that it really has.
   *
   * @return {@code host:port}, or the name of the nameservice
   */
  static String addressForDataNodes(Configuration conf, InetSocketAddress bound) {
    URI site = FileSystem.getDefaultUri(conf);
    return HAUtilClient.isLogicalUri(conf, site)
        ? site.getAuthority()
        : DFSUtilClient.getNNAddress(conf).getHostString() + ":" + bound.getPort();
  }

  /**
   * Makes up who a new cluster is.
   *
   * @param clusterId null: made up as well
   */
  static ClusterIdentity newIdentity(Configuration conf, String clusterId) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    long nowMs = System.currentTimeMillis();
    InetAddress address = DFSUtilClient.getNNAddress(conf).getAddress();
    String host = address == null ? "127.0.0.1" : address.getHostAddress();
    return new ClusterIdentity(
        random.nextInt(1, Integer.MAX_VALUE),
        clusterId == null || clusterId.isEmpty() ? "CID-" + UUID.randomUUID() : clusterId,
        "BP-" + random.nextInt(1, Integer.MAX_VALUE) + "-" + host + "-" + nowMs,
        nowMs);
  }
}
