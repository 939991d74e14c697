package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.ha.HAServiceProtocol.HAServiceState;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSHAAdmin;

/**
 * Three NameNodes by Raft, each a process of its own, and DataNodes in this one. Clients find them
 * as they find Hadoop's: by a nameservice. {@link #close} ends them, and keeps their logs. Not
 * thread-safe, but for {@link #newFileSystem}.
 */
public final class HaCluster implements AutoCloseable {
  private static final String NAMESERVICE = "trio";
  private static final List<String> IDS = List.of("nn1", "nn2", "nn3");
  private static final String RPC = "dfs.namenode.rpc-address." + NAMESERVICE + ".";
  private static final String HTTP = "dfs.namenode.http-address." + NAMESERVICE + ".";
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Path folder;
  private final Map<String, String> settings = new TreeMap<>();
  private final List<NameNodeProcess> nameNodes = new ArrayList<>();
  private final List<Path> nameFolders = new ArrayList<>();
  private final DataNodes dataNodes = new DataNodes();
  private final List<Path> dataFolders = new ArrayList<>();
  private final HaOptions options;
  private final MemberLinks links = new MemberLinks(IDS.size());

  /** Where each member listens for the others, by its id. */
  private final Map<String, String> raft = new TreeMap<>();

  private HaCluster(String name, HaOptions options) throws IOException {
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    this.folder = Files.createTempDirectory(root, name + "-");
    this.options = options;
  }

  /**
   * Formats one NameNode, copies it to the others, starts all and the DataNodes.
   *
   * @param name of the test: part of its folder's name
   */
  public static HaCluster start(String name, int dataNodes) throws Exception {
    return start(name, null, HaOptions.of(dataNodes));
  }

  /** The same with more than DataNodes. */
  public static HaCluster start(String name, HaOptions options) throws Exception {
    return start(name, null, options);
  }

  /** The same with the namespace of an image. */
  public static HaCluster imported(String name, Path image) throws Exception {
    return start(name, List.of("import", "--fsimage=" + image), HaOptions.of(0));
  }

  /** The same with the file system of a backup. */
  public static HaCluster restore(String name, Path backup) throws Exception {
    return start(name, List.of("restore", backup.toString()), HaOptions.of(0));
  }

  private static HaCluster start(String name, List<String> filling, HaOptions options)
      throws Exception {
    HaCluster cluster = new HaCluster(name, options);
    try {
      cluster.startAll(filling);
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * @param filling the command that fills the first NameNode; null: it is formatted
   */
  private void startAll(List<String> filling) throws Exception {
    settings.put("fs.defaultFS", "hdfs://" + NAMESERVICE);
    settings.put("dfs.nameservices", NAMESERVICE);
    settings.put(
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    for (String id : IDS) {
      addMember(id);
    }
    settings.put("dfs.ha.fencing.methods", "shell(/bin/true)"); // haadmin wants one, to fail over
    settings.put("acacia.store.engine", "raft");
    settings.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    settings.put("dfs.heartbeat.interval", "1");
    settings.put("dfs.replication", "1");
    settings.put("dfs.namenode.redundancy.considerLoad", "false");
    settings.putAll(options.settings());
    for (String id : IDS) {
      addNameNode(id);
    }
    fill(filling);
    startDataNodes(ownDataFolders());
  }

  /** Those that end with this cluster. */
  private List<Path> ownDataFolders() {
    return IntStream.range(0, options.dataNodes())
        .mapToObj(i -> folder.resolve("data-" + i))
        .toList();
  }

  /**
   * Starts DataNodes, also on folders that were another cluster's, which stay; returns when all are
   * live.
   */
  public void startDataNodes(List<Path> folders) throws Exception {
    for (Path data : folders) {
      dataFolders.add(data);
      dataNodes.add(data, List.of(), clientConfiguration());
    }
    awaitDataNodes();
  }

  private void awaitDataNodes() throws Exception {
    try (DistributedFileSystem fs = newFileSystem()) {
      Await.until(
          "registration of all DataNodes",
          LIMIT,
          () -> fs.getDataNodeStats(DatanodeReportType.LIVE).length == dataFolders.size());
    }
  }

  /**
   * Fills the folders of all NameNodes and starts these.
   *
   * @param command that fills the first one; null: it is formatted
   */
  private void fill(List<String> command) throws Exception {
    if (command != null) {
      requireSuccess(nameNodes.get(0).run(command.toArray(String[]::new)));
    } else if (isOfThisVersion()) {
      NameNode.format(own(0), "CID-" + NAMESERVICE, false);
    } else {
      requireSuccess(nameNodes.get(0).format("CID-" + NAMESERVICE));
    }
    nameNodes.get(0).start();
    Await.until("the first NameNode's answer", LIMIT, () -> state(0) != null);
    Await.until("its port for members", LIMIT, () -> isListening(raft.get(IDS.get(0))));
    for (int other = 1; other < IDS.size(); other++) {
      if (isOfThisVersion()) {
        NameNode.bootstrap(own(other));
      } else {
        requireSuccess(nameNodes.get(other).run("bootstrap"));
      }
    }
    for (NameNodeProcess other : nameNodes.subList(1, IDS.size())) {
      other.start();
    }
    awaitLeader();
    Await.until("entries in all logs", LIMIT, this::haveAllEntries);
  }

  private static boolean isListening(String address) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), portOf(address))) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Whether its commands can run in this process, as no other one has to start for them then. */
  private boolean isOfThisVersion() {
    return options.program() == NameNodeProgram.ACACIA;
  }

  /** As a command reads them on the machine of a NameNode; it reaches the others straight. */
  private Configuration own(int index) {
    Configuration conf = clientConfiguration();
    nameOwn(conf, IDS.get(index));
    return conf;
  }

  /** A member without any entry does not count as one that keeps what was acknowledged. */
  private boolean haveAllEntries() throws IOException {
    for (Path name : nameFolders) {
      try (Stream<Path> files = Files.walk(name.resolve("current/store/raft"))) {
        if (files.noneMatch(file -> file.getFileName().toString().startsWith("log_"))) {
          return false;
        }
      } catch (UncheckedIOException | NoSuchFileException e) {
        return false; // files come and go
      }
    }
    return true;
  }

  /** The settings of all name it from now on. */
  private void addMember(String id) throws IOException {
    settings.put(RPC + id, "127.0.0.1:" + FreePorts.next());
    settings.put(HTTP + id, "127.0.0.1:" + FreePorts.next());
    raft.put(id, "127.0.0.1:" + FreePorts.next());
    nameMembers();
  }

  private void nameMembers() {
    settings.put("dfs.ha.namenodes." + NAMESERVICE, String.join(",", raft.keySet()));
    settings.put(
        "acacia.store.raft.members",
        raft.entrySet().stream()
            .map(member -> member.getKey() + "=" + member.getValue())
            .collect(Collectors.joining(",")));
  }

  private void addNameNode(String id) throws IOException, InterruptedException {
    Path own = Files.createDirectories(folder.resolve(id));
    nameFolders.add(own.resolve("name"));
    if (!options.faults()) {
      NameNodeProcess process = new NameNodeProcess(options.program(), own, site(id));
      process.addClasses(options.classes());
      nameNodes.add(process);
      return;
    }
    int member = nameNodes.size();
    links.relay(member, List.of(portOf(raft.get(id)), portOf(settings.get(RPC + id))));
    NameNodeProcess process =
        new NameNodeProcess(
            options.program(), own, site(id), List.of(links.writeHosts(member, own)));
    process.addClasses(options.classes());
    if (FaultyDisk.isPossible()) {
      process.setEnvironment(FaultyDisk.environment(own, own.resolve("name")));
    }
    nameNodes.add(process);
  }

  /** Ends a NameNode in order, and starts another version in its place. */
  public void replace(int index, NameNodeProgram program) throws Exception {
    nameNodes.get(index).terminate();
    nameNodes.set(index, nameNodes.get(index).replacedBy(program, site(index)));
    nameNodes.get(index).start();
    awaitFollowers();
  }

  private static int portOf(String address) {
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  /** The settings of a NameNode. */
  public Configuration site(int index) {
    return site("nn" + (index + 1));
  }

  private Configuration site(String id) {
    Configuration site = new Configuration(false);
    settings.forEach(site::set);
    if (options.faults()) {
      nameHosts(site);
    }
    nameOwn(site, id);
    return site;
  }

  private void nameOwn(Configuration site, String id) {
    Path own = folder.resolve(id);
    site.set("dfs.ha.namenode.id", id);
    site.set("dfs.namenode.name.dir", own.resolve("name").toUri().toString());
    site.set("hadoop.tmp.dir", own.resolve("tmp").toString());
    site.set("hadoop.http.temp.dir", own.resolve("tmp/http").toString());
  }

  /** As members know each other: by hosts, which are relays for the others. */
  private void nameHosts(Configuration site) {
    StringJoiner members = new StringJoiner(",");
    for (int member = 0; member < IDS.size(); member++) {
      String id = IDS.get(member);
      String host = MemberLinks.hostOf(member);
      site.set(RPC + id, host + ":" + portOf(settings.get(RPC + id)));
      members.add(id + "=" + host + ":" + portOf(raft.get(id)));
    }
    site.set("acacia.store.raft.members", members.toString());
  }

  /**
   * One more NameNode takes the place of another, which ends by itself.
   *
   * @param gone does not lead
   * @return the index of the new one
   */
  public int replace(int gone) throws Exception {
    int added = nameNodes.size();
    String goneId = "nn" + (gone + 1);
    String addedId = "nn" + (added + 1);
    raft.remove(goneId);
    addMember(addedId);
    addNameNode(addedId);
    for (int other = 0; other < added; other++) {
      nameNodes.get(other).configure(site("nn" + (other + 1)));
    }
    NameNodeProcess process = nameNodes.get(added);
    requireSuccess(process.run("bootstrap"));
    process.start();
    Await.until("an answer of " + addedId, LIMIT, () -> state(added) != null);
    for (DataNode dataNode : dataNodes.running()) {
      dataNode.refreshNamenodes(clientConfiguration());
    }
    runByLeader(process, "raft", "add", addedId, raft.get(addedId));
    runByLeader(process, "raft", "remove", goneId);
    Await.until("the end of " + goneId, LIMIT, () -> !nameNodes.get(gone).isAlive());
    return added;
  }

  /**
   * Goes back to a backup on all NameNodes, and on the DataNodes to what they had before a rolling
   * upgrade.
   */
  public void rollBack(Path backup) throws Exception {
    dataNodes.shutdown();
    for (int i = 0; i < nameNodes.size(); i++) {
      nameNodes.get(i).terminate();
      Files.move(nameFolders.get(i), nameFolders.get(i).resolveSibling("name-upgraded"));
    }
    fill(List.of("restore", backup.toString()));
    for (Path data : dataFolders) {
      dataNodes.rollBack(data, List.of(), clientConfiguration());
    }
    awaitDataNodes();
  }

  /** Stops the DataNodes and starts them on their folders; returns before they have registered. */
  public void restartDataNodes() throws IOException {
    dataNodes.shutdown();
    for (Path data : dataFolders) {
      dataNodes.add(data, List.of(), clientConfiguration());
    }
  }

  /** The DataNodes, in the order of their folders. */
  public List<DataNode> dataNodes() {
    return dataNodes.running();
  }

  /** Where a NameNode answers calls. */
  public String rpcAddress(int index) {
    return settings.get(RPC + "nn" + (index + 1));
  }

  /** Where a NameNode serves its pages. */
  public String httpAddress(int index) {
    return settings.get(HTTP + "nn" + (index + 1));
  }

  /** Where each DataNode keeps its block files. */
  public List<Path> dataFolders() {
    return List.copyOf(dataFolders);
  }

  /** The command finds the leader and then asks it: the leader may change in between. */
  private static void runByLeader(NameNodeProcess process, String... command) throws Exception {
    Await.until(
        String.join(" ", command),
        LIMIT,
        () -> {
          NameNodeProcess.Exit exit = process.run(command);
          if (exit.output().contains(" stands by")) {
            return false;
          }
          requireSuccess(exit);
          return true;
        });
  }

  private static void requireSuccess(NameNodeProcess.Exit exit) {
    if (exit.code() != 0) {
      throw new AssertionError(exit.output());
    }
  }

  /** What a NameNode says that it is; null where it does not answer. */
  public HAServiceState state(int index) {
    return MemberProbe.state(clientConfiguration(), rpcAddress(index));
  }

  /** The index of the NameNode that leads, once one does. */
  public int awaitLeader() throws Exception {
    int[] found = {-1};
    Await.until(
        "a leader",
        LIMIT,
        () -> {
          for (int i = 0; i < nameNodes.size(); i++) {
            if (nameNodes.get(i).isAlive() && state(i) == HAServiceState.ACTIVE) {
              found[0] = i;
              return true;
            }
          }
          return false;
        });
    return found[0];
  }

  /** The same of another one than that. */
  public int awaitOtherLeader(int than) throws Exception {
    int[] found = {-1};
    Await.until(
        "another leader than nn" + (than + 1),
        LIMIT,
        () -> {
          for (int i = 0; i < nameNodes.size(); i++) {
            if (i != than && nameNodes.get(i).isAlive() && state(i) == HAServiceState.ACTIVE) {
              found[0] = i;
            }
          }
          return found[0] >= 0;
        });
    return found[0];
  }

  /** Returns once a NameNode says it: for a moment after a change of its role it says nothing. */
  public void awaitState(int index, HAServiceState wanted) throws Exception {
    Await.until("nn" + (index + 1) + " as " + wanted, LIMIT, () -> state(index) == wanted);
  }

  /** Starts those that have ended. */
  public void startEnded() throws IOException {
    for (NameNodeProcess nameNode : nameNodes) {
      if (!nameNode.isAlive()) {
        nameNode.start();
      }
    }
  }

  /** Returns when all others have what the leader has. */
  public void awaitFollowers() throws Exception {
    Await.until("followers that have all", LIMIT, this::haveFollowersAll);
  }

  private boolean haveFollowersAll() {
    return raft.keySet().stream()
        .anyMatch(id -> MemberProbe.upToDateFollowers(settings.get(HTTP + id)) == raft.size() - 1);
  }

  /** Ends all in order, the leader last: a new one would write something at once. */
  public void terminate() throws InterruptedException {
    int leader = -1;
    for (int i = 0; i < nameNodes.size(); i++) {
      if (leader < 0 && nameNodes.get(i).isAlive() && state(i) == HAServiceState.ACTIVE) {
        leader = i;
      } else {
        nameNodes.get(i).terminate();
      }
    }
    if (leader >= 0) {
      nameNodes.get(leader).terminate();
    }
  }

  /** Runs {@code hdfs haadmin}, and returns its exit code. */
  public int haadmin(String... arguments) throws Exception {
    DFSHAAdmin admin = new DFSHAAdmin();
    admin.setConf(clientConfiguration());
    return admin.run(arguments);
  }

  public NameNodeProcess nameNode(int index) {
    return nameNodes.get(index);
  }

  /** What one sends to another one waits until {@link #heal}. Needs {@link HaOptions#faults}. */
  public void cut(int from, int to) {
    links.cut(from, to);
  }

  /** Ends all cuts. */
  public void heal() {
    links.heal();
  }

  /** Whether {@link #setSyncTime} and {@link #setFull} have an effect: they need a C compiler. */
  public static boolean canHarmDisks() {
    return FaultyDisk.isPossible();
  }

  /** Each sync of a NameNode lasts so much longer. Needs {@link HaOptions#faults}. */
  public void setSyncTime(int index, Duration time) throws IOException {
    FaultyDisk.setSyncTime(nameFolders.get(index).getParent(), time);
  }

  /** The disk of a NameNode takes no byte more, or does again. Needs {@link HaOptions#faults}. */
  public void setFull(int index, boolean isFull) throws IOException {
    FaultyDisk.setFull(nameFolders.get(index).getParent(), isFull);
  }

  /** Where a NameNode keeps its state. */
  public Path nameFolder(int index) {
    return nameFolders.get(index);
  }

  public int size() {
    return nameNodes.size();
  }

  /** A client of its own with Hadoop's defaults, which the caller closes. */
  public DistributedFileSystem newFileSystem() throws IOException {
    return (DistributedFileSystem)
        FileSystem.newInstance(URI.create("hdfs://" + NAMESERVICE), clientConfiguration());
  }

  /** A new configuration for clients. */
  public Configuration clientConfiguration() {
    Configuration conf = new HdfsConfiguration();
    settings.forEach(conf::set);
    return conf;
  }

  public Path folder() {
    return folder;
  }

  @Override
  public void close() throws IOException {
    dataNodes.shutdown();
    for (NameNodeProcess nameNode : nameNodes) {
      try {
        if (nameNode.isAlive()) {
          nameNode.kill();
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    links.close();
    for (Path nameFolder : nameFolders) {
      FileUtil.fullyDelete(nameFolder.toFile());
      FileUtil.fullyDelete(nameFolder.resolveSibling("tmp").toFile());
    }
    for (Path data : ownDataFolders()) {
      FileUtil.fullyDelete(data.toFile());
    }
  }
}
