package io.acaciafs.namenode.store;

import io.acaciafs.blocks.ClusterIdentity;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.StoreException;
import io.acaciafs.namenode.check.CheckOptions;
import io.acaciafs.namenode.check.CheckReport;
import io.acaciafs.namenode.check.Comparison;
import io.acaciafs.namenode.check.StoreCheck;
import io.acaciafs.namenode.members.MemberTable;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.namenode.settings.NamespaceConfig;
import io.acaciafs.namenode.settings.Settings;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.jspecify.annotations.Nullable;

/** The store of the configured NameNode, for {@code acacia check}. */
public final class StoreToCheck implements AutoCloseable {
  private final Configuration conf;
  private final ResourceStack resources;
  private final Store store;

  private StoreToCheck(Configuration conf, ResourceStack resources, Store store) {
    this.conf = conf;
    this.resources = resources;
    this.store = store;
  }

  /**
   * Opens the store.
   *
   * @param writes what it may do only while no NameNode serves the store
   * @return null when a NameNode has the store, and has to do what is to be done
   * @throws java.nio.file.AccessDeniedException when this user may not read and write the folder: a
   *     NameNode that has it may do what is to be done
   * @throws IOException when nothing is formatted, or the store does not answer
   */
  public static @Nullable StoreToCheck open(Configuration all, boolean writes) throws IOException {
    Configuration conf = CheckedSettings.of(all);
    NameDirectory directory = NameDirectory.of(conf);
    ClusterIdentity identity = directory.read(Settings.clusterId(conf));
    StoreEngine engine = StoreEngine.of(conf, directory, identity);
    engine.requireStore();
    engine.loginTool();
    ResourceStack resources = new ResourceStack();
    try {
      if (!engine.isShared() && !lock(directory, resources)) {
        return null;
      }
      Store store = resources.add(engine.open());
      if (writes && engine.isShared() && isServed(conf, store)) {
        resources.close();
        return null;
      }
      return new StoreToCheck(conf, resources, store);
    } catch (IOException e) {
      throw resources.closeAfter(e);
    } catch (RuntimeException e) {
      throw resources.closeAfter(e);
    }
  }

  /** False while its NameNode runs. */
  private static boolean lock(NameDirectory directory, ResourceStack resources) throws IOException {
    AutoCloseable lock = directory.tryLock();
    if (lock != null) {
      resources.add(lock);
    }
    return lock != null;
  }

  /** NameNodes rest on directories that they remember, and are not told of what changes here. */
  private static boolean isServed(Configuration conf, Store store) {
    try {
      MemberTable.requireNone(store, Settings.memberLeaseMs(conf));
      return false;
    } catch (StoreException e) {
      return true;
    }
  }

  /** Where the configured NameNode is reached by HTTP. */
  public static URI httpAddress(Configuration all) throws IOException {
    Configuration conf = Settings.ofThisNameNode(all);
    InetSocketAddress address = DFSUtilClient.getNNAddress(conf);
    return DFSUtil.getInfoServer(address, conf, DFSUtil.getHttpClientScheme(conf));
  }

  /**
   * Where the NameNodes of a group are reached by HTTP, one of which leads.
   *
   * @return empty where the configured NameNode belongs to no group
   */
  public static List<URI> httpAddressesOfGroup(Configuration conf) throws IOException {
    List<URI> servers = new ArrayList<>();
    if (Engines.chosen(conf).isReplicated()) {
      for (Map<String, InetSocketAddress> members :
          DFSUtil.getNNServiceRpcAddressesForCluster(conf).values()) {
        for (InetSocketAddress address : members.values()) {
          servers.add(DFSUtil.getInfoServer(address, conf, DFSUtil.getHttpClientScheme(conf)));
        }
      }
    }
    return servers;
  }

  /** Checks it. */
  public void check(CheckOptions options, CheckReport report)
      throws IOException, InterruptedException {
    StoreCheck.run(
        store,
        NamespaceConfig.namespace(conf).features().storagePolicies(),
        options,
        Comparison.NONE,
        report);
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
