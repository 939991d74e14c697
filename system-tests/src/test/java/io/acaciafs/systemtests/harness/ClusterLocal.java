package io.acaciafs.systemtests.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.hbase.local.TablePieces;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;

/**
 * {@code acacia cluster-local} and its servers, which have the names of their logs: {@code rs1},
 * {@code meta-nn2}. {@link #close} kills all of them. Not thread-safe, but its file systems are.
 */
public final class ClusterLocal implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration READY_LIMIT = Duration.ofMinutes(15);
  private static final Duration RESTART_LIMIT = Duration.ofMinutes(1);
  private static final Duration END_LIMIT = Duration.ofMinutes(2);
  private static final String TREE = "acacia";
  private static final String META = "meta";
  private static final String LARGE = "large";

  private final Path folder;
  private final int nameNodes;
  private final int regionServers;
  private Optional<AcaciaCommand> command = Optional.empty();
  private int starts;

  /** One that is yet to be started, in a folder of its own. */
  public ClusterLocal(String name, int nameNodes, int regionServers) throws IOException {
    this.nameNodes = nameNodes;
    this.regionServers = regionServers;
    Path root = Files.createDirectories(Path.of(System.getProperty("acacia.clusters")));
    folder = Files.createTempDirectory(root, name + "-");
  }

  /**
   * Starts the command, and returns when it says that it serves.
   *
   * @param further options of the command
   */
  public void start(String... further) throws Exception {
    starts++;
    Path ready = folder.resolve("ready-" + starts);
    List<String> arguments =
        new ArrayList<>(
            List.of(
                "cluster-local",
                "--namenodes=" + nameNodes,
                "--region-servers=" + regionServers,
                "--dir=" + folder,
                "--ready-file=" + ready));
    arguments.addAll(List.of(further));
    AcaciaCommand started =
        AcaciaCommand.start(
            folder.resolve("command-" + starts + ".log"),
            List.of(property("acacia.hbase.classpath"), property("acacia.gateway.classpath")),
            arguments.toArray(String[]::new));
    command = Optional.of(started);
    started.awaitReady(ready, READY_LIMIT);
  }

  private static String property(String name) {
    return "-D" + name + "=" + System.getProperty(name);
  }

  /** SIGTERM to the command; returns when it has ended, with all servers. */
  public void terminate() throws Exception {
    Signals.terminate(command.orElseThrow().pid());
    command.orElseThrow().awaitExit(END_LIMIT);
    command = Optional.empty();
  }

  /** SIGKILL to the command and all servers, as when the power fails. */
  public void powerCut() throws IOException, InterruptedException {
    List<Long> pids = new ArrayList<>();
    command.ifPresent(each -> pids.add(each.pid())); // first, or it would start again what ends
    command = Optional.empty();
    servers().forEach(each -> pids.add(each.pid()));
    if (!pids.isEmpty()) {
      Signals.killThoseAlive(pids);
    }
  }

  /** SIGKILL to one server; returns when the command has started it again. */
  public void kill(String server) throws Exception {
    ProcessHandle killed = process(server).orElseThrow();
    Signals.killThoseAlive(List.of(killed.pid()));
    Await.until(
        "the next start of " + server,
        RESTART_LIMIT,
        () -> process(server).filter(next -> next.pid() != killed.pid()).isPresent());
  }

  /** The names of all servers. */
  public List<String> names() throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve("pid"))) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".part"))
          .sorted()
          .toList();
    }
  }

  /** The processes of all servers that live. */
  public List<ProcessHandle> servers() throws IOException {
    List<ProcessHandle> servers = new ArrayList<>();
    if (Files.exists(folder.resolve("pid"))) {
      for (String name : names()) {
        process(name).ifPresent(servers::add);
      }
    }
    return servers;
  }

  /** What {@code jps} would show of everything that the command has started and that lives. */
  public List<String> mainClasses() {
    try (Stream<ProcessHandle> started =
        ProcessHandle.of(command.orElseThrow().pid()).orElseThrow().descendants()) {
      return started.map(ClusterLocal::mainClass).toList();
    }
  }

  private static String mainClass(ProcessHandle process) {
    return Stream.of(process.info().arguments().orElse(new String[0]))
        .filter(argument -> !argument.startsWith("-"))
        .findFirst()
        .orElse("unknown");
  }

  private Optional<ProcessHandle> process(String server) throws IOException {
    long pid = Long.parseLong(Files.readString(folder.resolve("pid").resolve(server)).strip());
    return ProcessHandle.of(pid).filter(ProcessHandle::isAlive).filter(each -> isOf(server, each));
  }

  /** An old number may be another process's by now. */
  private boolean isOf(String server, ProcessHandle process) {
    return process
        .info()
        .commandLine()
        .filter(line -> line.contains("=" + folder.resolve(server) + " "))
        .isPresent();
  }

  /** An address that the first start has chosen, for example {@code rs1.rpc}. */
  public String address(String name) throws IOException {
    Properties choices = new Properties();
    try (InputStream in = Files.newInputStream(folder.resolve("choices"))) {
      choices.load(in);
    }
    return choices.getProperty(name);
  }

  /** Where ZooKeeper is. */
  public String zooKeeper() throws IOException {
    return String.join(",", address("zk1.client"), address("zk2.client"), address("zk3.client"));
  }

  /** Settings of a NameNode, for a reader of its store. */
  public Configuration siteOf(String server) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.addResource(folder.resolve(server).resolve("conf/hdfs-site.xml").toUri().toURL());
    return conf;
  }

  /**
   * The master of HBase that leads. A new connection asks: one of before may still ask the master
   * that led then, which answers also when it stands by.
   */
  public String leadingMaster() throws IOException {
    try (TablePieces pieces = TablePieces.of(zooKeeper(), "acacia")) {
      String port = ":" + pieces.masterPort();
      return address("master1.rpc").endsWith(port) ? "master1" : "master2";
    }
  }

  /** The one that leads of the NameNodes by Raft; waits until one does. */
  public String leadingMetaNameNode() throws Exception {
    List<String> leading = new ArrayList<>();
    Await.until(
        "a leader of the NameNodes by Raft",
        RESTART_LIMIT,
        () -> {
          for (String name : List.of("meta-nn1", "meta-nn2", "meta-nn3")) {
            if (leads(address(name + ".http"))) {
              leading.add(name);
            }
          }
          return !leading.isEmpty();
        });
    return leading.get(0);
  }

  private static boolean leads(String address) throws IOException {
    try {
      HttpURLConnection connection =
          (HttpURLConnection)
              URI.create("http://" + address + "/isActive").toURL().openConnection();
      return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
    } catch (ConnectException e) { // it is starting
      return false;
    }
  }

  /** Whether each Router takes so many NameNodes on HBase for active. */
  public boolean routersKnow(int nameNodes) throws IOException {
    return activeNameNodes("router1") >= nameNodes && activeNameNodes("router2") >= nameNodes;
  }

  private long activeNameNodes(String router) throws IOException {
    JsonNode federation = JmxBean.read(address(router + ".http"), "Router", "FederationState");
    JsonNode nameNodes = JSON.readTree(federation.get("Namenodes").asText());
    return StreamSupport.stream(nameNodes.spliterator(), false)
        .filter(each -> each.path("nameserviceId").asText().equals(LARGE))
        .filter(each -> each.path("state").asText().equals("ACTIVE"))
        .count();
  }

  /** A client of the tree, through the Routers. */
  public FileSystem treeClient() throws IOException {
    return client(TREE);
  }

  /** A client of the NameNodes by Raft. */
  public FileSystem metaClient() throws IOException {
    return client(META);
  }

  /** A client of the NameNodes on HBase. */
  public FileSystem largeClient() throws IOException {
    return client(LARGE);
  }

  private FileSystem client(String nameservice) throws IOException {
    return FileSystem.newInstance(URI.create("hdfs://" + nameservice), clientConfiguration());
  }

  /** A client of one of the NameNodes on HBase. */
  public FileSystem clientOf(String nameNode) throws IOException {
    return FileSystem.newInstance(
        URI.create("hdfs://" + address(nameNode + ".rpc")), clientConfiguration());
  }

  private Configuration clientConfiguration() throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.addResource(folder.resolve("conf/hdfs-site.xml").toUri().toURL());
    return conf;
  }

  @Override
  public void close() throws IOException {
    try {
      powerCut();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster ended", e);
    }
  }
}
