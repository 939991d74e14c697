package io.acaciafs.tools.cluster;

import io.acaciafs.kv.hbase.local.LoopbackSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * The settings of all servers and clients, as docs/deploy-hbase.md has them but for addresses. For
 * one thread.
 */
final class Sites {
  /** The nameservice of the NameNodes by Raft, which hold HBase's files. */
  static final String META = "meta";

  /** The nameservice of the NameNodes on HBase. */
  static final String LARGE = "large";

  /** The nameservice of the Routers, which show both as one tree. */
  static final String TREE = "acacia";

  /** Where HBase's files are: on {@link #META}, and in the tree. */
  static final String HBASE_ROOT = "/hbase";

  private static final String SESSION_TIMEOUT_MS = "10000";
  private static final int MOST_LISTED_NAMENODES = 3;

  private final Path folder;
  private final ServerCounts counts;
  private final Choices choices;

  Sites(Path folder, ServerCounts counts, Choices choices) {
    this.folder = folder;
    this.counts = counts;
    this.choices = choices;
  }

  /** Where ZooKeeper is: host:port of all three. */
  String zooKeeper() throws IOException {
    return addresses(ServerKind.ZOOKEEPER, ".client");
  }

  /** For clients: the tree, and both nameservices for those that ask them directly. */
  Configuration client() throws IOException {
    Configuration site = nameservices(TREE, META, LARGE);
    addNameservice(site, TREE, counts.names(ServerKind.ROUTER));
    site.set("fs.defaultFS", "hdfs://" + TREE);
    return site;
  }

  /** One of three by Raft. */
  Configuration metaNameNode(String name) throws IOException {
    Configuration site = nameNode(META, name);
    site.set("acacia.store.engine", "raft");
    List<String> members = new ArrayList<>();
    for (String member : counts.names(ServerKind.META_NAMENODE)) {
      members.add(member + "=" + choices.address(member + ".raft"));
    }
    site.set("acacia.store.raft.members", String.join(",", members));
    return site;
  }

  /** One of those on HBase. */
  Configuration largeNameNode(String name) throws IOException {
    Configuration site = nameNode(LARGE, name);
    site.set("acacia.store.engine", "hbase");
    site.set("acacia.store.hbase.zookeeper", zooKeeper());
    site.set("acacia.store.hbase.coprocessor", "classpath");
    site.setInt("acacia.store.hbase.regions", counts.regionServers());
    return site;
  }

  private Configuration nameNode(String nameservice, String name) throws IOException {
    Configuration site = nameservices(META, LARGE);
    site.set("dfs.nameservice.id", nameservice);
    site.set("dfs.ha.namenode.id", name);
    site.set("fs.defaultFS", "hdfs://" + nameservice);
    site.set("dfs.namenode.name.dir", folder.resolve(name).resolve("name").toUri().toString());
    addTemporaryFolders(site, name);
    site.set("dfs.heartbeat.interval", "1");
    String user = addRoutersUser(site);
    site.set("hadoop.proxyuser." + user + ".hosts", "127.0.0.1");
    site.set("hadoop.proxyuser." + user + ".groups", "*");
    return site;
  }

  private static String addRoutersUser(Configuration site) throws IOException {
    String user = UserGroupInformation.getLoginUser().getShortUserName();
    site.set(DFSConfigKeys.DFS_NAMENODE_IP_PROXY_USERS, user);
    return user;
  }

  /** A DataNode of both block pools. */
  Configuration dataNode(String name, int index) throws IOException {
    Configuration site = nameservices(META, LARGE);
    List<String> listed = counts.names(ServerKind.NAMENODE);
    if (listed.size() > MOST_LISTED_NAMENODES) { // more only cost: deploy-hbase.md, DataNodes
      int size = listed.size();
      listed = List.of(listed.get(2 * index % size), listed.get((2 * index + 1) % size));
      site.set("dfs.ha.namenodes." + LARGE, String.join(",", listed));
    }
    site.set("fs.defaultFS", "hdfs://" + LARGE);
    site.set("dfs.datanode.data.dir", folder.resolve(name).resolve("data").toUri().toString());
    site.set("dfs.datanode.address", choices.address(name + ".data"));
    site.set("dfs.datanode.ipc.address", choices.address(name + ".ipc"));
    site.set("dfs.datanode.http.address", choices.address(name + ".http"));
    site.set("dfs.datanode.hostname", "127.0.0.1");
    site.set("dfs.heartbeat.interval", "1");
    // What HBase has closed is on the disk, and not only in the memory of machines.
    site.set("dfs.datanode.synconclose", "true");
    addTemporaryFolders(site, name);
    return site;
  }

  /** What HBase's processes know of the file system below them. */
  Configuration belowHBase(String name) throws IOException {
    Configuration site = nameservices(META);
    site.set("fs.defaultFS", "hdfs://" + META);
    addTemporaryFolders(site, name);
    return site;
  }

  /** The {@code hbase-site.xml} of a master or region server. */
  Configuration hbase(String name) throws IOException {
    Configuration site = new Configuration(false);
    LoopbackSettings.make().forEach(site::set);
    site.set("hbase.rootdir", "hdfs://" + META + HBASE_ROOT);
    site.set("hbase.wal.hsync", "true");
    site.set("hbase.tmp.dir", folder.resolve(name).resolve("tmp").toString());
    site.set("hbase.zookeeper.quorum", zooKeeper());
    site.set("zookeeper.session.timeout", SESSION_TIMEOUT_MS);
    // A region server asks for the master after this time, twice that, and so on.
    site.set("hbase.regionserver.msginterval", "1000");
    site.set("hbase.master.port", choices.port(name + ".rpc"));
    site.set("hbase.regionserver.port", choices.port(name + ".rpc"));
    return site;
  }

  /** A Router; what it shows where it keeps in ZooKeeper, for all Routers. */
  Configuration router(String name) throws IOException {
    Configuration site = nameservices(META, LARGE);
    site.set("fs.defaultFS", "hdfs://" + choices.address(name + ".rpc"));
    String prefix = "dfs.federation.router.";
    site.set(prefix + "rpc-address", choices.address(name + ".rpc"));
    site.set(prefix + "admin-address", choices.address(name + ".admin"));
    site.set(prefix + "http-address", choices.address(name + ".http"));
    site.set(prefix + "default.nameserviceId", LARGE);
    site.set(prefix + "monitor.localnamenode.enable", "false");
    List<String> monitored = new ArrayList<>();
    counts.names(ServerKind.META_NAMENODE).forEach(each -> monitored.add(META + "." + each));
    counts.names(ServerKind.NAMENODE).forEach(each -> monitored.add(LARGE + "." + each));
    site.set(prefix + "monitor.namenode", String.join(",", monitored));
    site.set(
        prefix + "store.driver.class",
        "org.apache.hadoop.hdfs.server.federation.store.driver.impl.StateStoreZooKeeperImpl");
    site.set("hadoop.zk.address", zooKeeper());
    site.set(prefix + "store.connection.test", "5000");
    // They find a NameNode that has begun or ended within a second or two. On a busy machine they
    // may not hear one that serves for 10 s, and should not take it for gone.
    site.set(prefix + "heartbeat.interval", "1000");
    site.set(prefix + "cache.ttl", "2000");
    site.set(prefix + "store.membership.expiration", "60000");
    site.set(prefix + "safemode.extension", "2000");
    // As itself, in the name of its clients: NameNodes then know their calls when they come again.
    addRoutersUser(site);
    addTemporaryFolders(site, name);
    return site;
  }

  /** The {@code zoo.cfg} of one of three. */
  String zooKeeper(String name) throws IOException {
    StringBuilder cfg = new StringBuilder();
    cfg.append("tickTime=1000\ninitLimit=20\nsyncLimit=10\nadmin.enableServer=false\n");
    cfg.append("clientPortAddress=127.0.0.1\nclientPort=")
        .append(choices.port(name + ".client"))
        .append("\ndataDir=")
        .append(folder.resolve(name).resolve("data"))
        .append('\n');
    List<String> all = counts.names(ServerKind.ZOOKEEPER);
    for (int i = 0; i < all.size(); i++) {
      cfg.append("server.")
          .append(i + 1)
          .append('=')
          .append(choices.address(all.get(i) + ".peer"))
          .append(':')
          .append(choices.port(all.get(i) + ".election"))
          .append('\n');
    }
    return cfg.toString();
  }

  private Configuration nameservices(String... names) throws IOException {
    Configuration site = new Configuration(false);
    site.set("dfs.nameservices", String.join(",", names));
    for (String name : names) {
      switch (name) {
        case META -> addNameservice(site, META, counts.names(ServerKind.META_NAMENODE));
        case LARGE -> {
          addNameservice(site, LARGE, counts.names(ServerKind.NAMENODE));
          site.setBoolean("dfs.client.failover.random.order." + LARGE, true);
        }
        default -> {}
      }
    }
    site.setInt("dfs.replication", counts.of(ServerKind.DATANODE));
    // While a region server is dead, reports of blocks wait, and so do writers that close a file.
    site.setInt("dfs.client.block.write.locateFollowingBlock.retries", 10);
    // With three DataNodes none is left to take the place of one that is lost.
    site.setBoolean("dfs.client.block.write.replace-datanode-on-failure.best-effort", true);
    return site;
  }

  private void addNameservice(Configuration site, String nameservice, List<String> servers)
      throws IOException {
    site.set("dfs.ha.namenodes." + nameservice, String.join(",", servers));
    for (String server : servers) {
      String of = "." + nameservice + "." + server;
      site.set("dfs.namenode.rpc-address" + of, choices.address(server + ".rpc"));
      site.set("dfs.namenode.http-address" + of, choices.address(server + ".http"));
    }
    site.set(
        "dfs.client.failover.proxy.provider." + nameservice,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
  }

  private void addTemporaryFolders(Configuration site, String name) {
    site.set("hadoop.tmp.dir", folder.resolve(name).resolve("tmp").toString());
    // Else each start leaves a folder in the system's temporary one.
    site.set("hadoop.http.temp.dir", folder.resolve(name).resolve("tmp/http").toString());
  }

  private String addresses(ServerKind kind, String which) throws IOException {
    List<String> addresses = new ArrayList<>();
    for (String name : counts.names(kind)) {
      addresses.add(choices.address(name + which));
    }
    return String.join(",", addresses);
  }
}
