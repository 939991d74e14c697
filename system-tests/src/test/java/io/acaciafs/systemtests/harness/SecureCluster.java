package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.testkit.TestAuthority;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.FsShell;

/**
 * A KDC, a NameNode nn/localhost and DataNodes dn/localhost, and programs of users, each in a
 * process of its own: the test's process has no tickets. In a fresh folder below {@code
 * target/fork-N/clusters}. Or two NameNodes that share an HBase, or three by Raft.
 *
 * <p>The NameNode's principal and that of the user hdfs are the superuser. {@link #close} ends all,
 * and keeps the logs. Not thread-safe.
 */
public final class SecureCluster implements AutoCloseable {
  private static final int MEMBERS = 3;
  private static final Duration SERVE_LIMIT = Duration.ofMinutes(2);
  private static final Duration COMMANDS_LIMIT = Duration.ofMinutes(5);

  private final Path folder;
  private final Kdc kdc;
  private final SecureSite site;
  private final List<DataNodeProcess> dataNodes = new ArrayList<>();
  private final List<Path> homes = new ArrayList<>();
  private final List<NameNodeProcess> nameNodes = new ArrayList<>();
  private NameNodeProgram program = NameNodeProgram.underTest();
  private SecureHBase hbase;

  /**
   * What a command did.
   *
   * @param code its exit code
   * @param text all that it printed, log lines left out
   */
  public record Answer(String command, int code, String text) {}

  private SecureCluster(String name, Kdc.Starter starter, String protection) throws Exception {
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    folder = Files.createTempDirectory(root, name + "-");
    kdc = starter.start(folder.resolve("kdc"));
    try {
      site = new SecureSite(folder, kdc, protection);
    } catch (Throwable e) {
      kdc.close();
      throw e;
    }
  }

  /** With Hadoop's KDC. */
  public static SecureCluster start(
      String name, String protection, int count, Map<String, String> settings) throws Exception {
    return start(HadoopKdc::new, name, protection, count, settings);
  }

  /**
   * Starts all; returns when the DataNodes are live.
   *
   * @param starter of the KDC
   * @param protection of calls and of data: authentication, integrity or privacy
   * @param count of DataNodes
   * @param settings for all, beyond those of this class
   */
  public static SecureCluster start(
      Kdc.Starter starter, String name, String protection, int count, Map<String, String> settings)
      throws Exception {
    return begun(
        new SecureCluster(name, starter, protection), cluster -> cluster.begin(count, settings));
  }

  /** The same on Hadoop's NameNode, with Hadoop's KDC: a cluster that is to move. */
  public static SecureCluster startOnHadoop(String name, int count, Map<String, String> settings)
      throws Exception {
    SecureCluster made = new SecureCluster(name, HadoopKdc::new, "privacy");
    made.program = NameNodeProgram.HADOOP;
    return begun(made, cluster -> cluster.begin(count, settings));
  }

  /**
   * The same with NameNodes nn1 and nn2 that share an HBase, which wants Kerberos of everybody.
   * Clients and DataNodes know both, and ask nn1 first.
   */
  public static SecureCluster startOnHBase(String name, int count, Map<String, String> settings)
      throws Exception {
    return startOnHBase(HadoopKdc::new, name, count, settings);
  }

  /** The same with another KDC. */
  public static SecureCluster startOnHBase(
      Kdc.Starter starter, String name, int count, Map<String, String> settings) throws Exception {
    return begun(
        new SecureCluster(name, starter, "privacy"),
        cluster -> cluster.beginOnHBase(count, settings));
  }

  /**
   * The same with NameNodes nn1 to nn3 by Raft, whose members trust one authority, and whose
   * principals are nn1/localhost to nn3/localhost.
   */
  public static SecureCluster startOnRaft(String name, int count, Map<String, String> settings)
      throws Exception {
    return begun(
        new SecureCluster(name, HadoopKdc::new, "privacy"),
        cluster -> cluster.beginOnRaft(count, settings));
  }

  /** What {@code acacia format} says to an HBase with Kerberos that authorizes nobody. */
  public static NameNodeProcess.Exit formatOnOpenHBase(String name) throws Exception {
    try (SecureCluster cluster = new SecureCluster(name, HadoopKdc::new, "privacy")) {
      cluster.useHBase(Map.of(), false);
      cluster.addNameNode(cluster.folder, Map.of("dfs.ha.namenode.id", "nn1"));
      return cluster.nameNode().format("CID-secure");
    }
  }

  /** Starts what a cluster consists of. */
  @FunctionalInterface
  private interface Beginning {
    void of(SecureCluster cluster) throws Exception;
  }

  /** What was started ends with the failure of the rest. */
  private static SecureCluster begun(SecureCluster cluster, Beginning beginning) throws Exception {
    try {
      beginning.of(cluster);
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  private void begin(int count, Map<String, String> settings) throws Exception {
    settings.forEach(site.conf()::set);
    addNameNode(folder, Map.of());
    requireDone(nameNode().format("CID-secure"));
    Certificate.write(folder.resolve("conf"));
    startNameNode(0);
    addDataNodes(count);
  }

  private void useHBase(Map<String, String> settings, boolean authorizes) throws Exception {
    Configuration conf = site.conf();
    site.describeService(2);
    settings.forEach(conf::set);
    String shortNames = conf.get("hadoop.security.auth_to_local");
    hbase = SecureHBase.start(folder.resolve("hbase"), kdc, shortNames, authorizes);
    hbase.client("nn/localhost").forEach(conf::set);
    conf.set("acacia.store.engine", "hbase");
    conf.set("acacia.store.hbase.table", "acacia:files");
  }

  private void beginOnHBase(int count, Map<String, String> settings) throws Exception {
    useHBase(settings, true);
    String shortNames = site.conf().get("hadoop.security.auth_to_local");
    requireDone(
        run(
            List.of(hbase.superusersConf(shortNames).toString()),
            kdc.ticket(SecureHBase.SUPERUSER),
            COMMANDS_LIMIT,
            HBaseGrant.class,
            hbase.hbase().zooKeeper(),
            "acacia",
            "hdfs"));
    addNameNode(folder, Map.of("dfs.ha.namenode.id", "nn1"));
    requireDone(nameNode().format("CID-secure"));
    Certificate.write(folder.resolve("conf"));
    addOtherNameNode(1, Map.of());
    requireDone(nameNode(1).run("bootstrap"));
    startNameNode(0);
    startNameNode(1);
    addDataNodes(count);
  }

  private void beginOnRaft(int count, Map<String, String> settings) throws Exception {
    TestAuthority authority = new TestAuthority(folder.resolve("authority"));
    site.describeService(MEMBERS);
    site.describeMembers(kdc);
    settings.forEach(site.conf()::set);
    Map<String, String> first = new TreeMap<>(SecureSite.certificate(authority));
    first.put("dfs.ha.namenode.id", SecureSite.id(0));
    addNameNode(folder, first);
    requireDone(nameNode().format("CID-secure"));
    Certificate.write(folder.resolve("conf"));
    startNameNode(0);
    for (int i = 1; i < MEMBERS; i++) {
      addOtherNameNode(i, SecureSite.certificate(authority));
      requireDone(nameNode(i).run("bootstrap"));
      startNameNode(i);
    }
    addDataNodes(count);
  }

  /** In a folder of its own, beside the first one. */
  private void addOtherNameNode(int index, Map<String, String> settings) throws IOException {
    String id = SecureSite.id(index);
    Path home = Files.createDirectory(folder.resolve(id));
    Map<String, String> own = new TreeMap<>(settings);
    own.put("dfs.ha.namenode.id", id);
    own.put("dfs.namenode.name.dir", home.resolve("name").toUri().toString());
    addNameNode(home, own);
    for (String file : List.of(Certificate.SERVER, Certificate.CLIENT)) {
      Files.copy(folder.resolve("conf").resolve(file), home.resolve("conf").resolve(file));
    }
  }

  private static void requireDone(NameNodeProcess.Exit exit) {
    if (exit.code() != 0) {
      throw new AssertionError(exit.output());
    }
  }

  private void addNameNode(Path home, Map<String, String> settings) throws IOException {
    Configuration own = new Configuration(site.conf());
    settings.forEach(own::set);
    homes.add(home);
    nameNodes.add(
        new NameNodeProcess(
            program, home, own, List.of(kdc.option(), "-Dhdfs.audit.logger=INFO,RFAAUDIT")));
    SecureSite.writePolicy(home);
  }

  /** Another program in the place of the NameNode, which has ended, on another folder. */
  public void useNameNode(NameNodeProgram other, String nameFolder) throws IOException {
    Configuration conf = site.conf();
    conf.set("dfs.namenode.name.dir", folder.resolve(nameFolder).toUri().toString());
    nameNodes.set(0, nameNode().replacedBy(other, new Configuration(conf)));
  }

  /** Where the NameNode, or nn1, keeps its file system. */
  public Path nameFolder() {
    return Path.of(URI.create(site.conf().get("dfs.namenode.name.dir")));
  }

  /** Starts a NameNode that does not run; returns when it listens. */
  public void startNameNode(int index) throws Exception {
    nameNode(index).start();
    Await.until("the NameNode's port", SERVE_LIMIT, () -> serves(index));
  }

  /** Starts a NameNode that does not run with another setting, and waits until it has ended. */
  public NameNodeProcess.Exit startNameNodeWith(
      int index, String setting, String value, Duration limit) throws Exception {
    Configuration before = ownSettings(index);
    configure(index, setting, value);
    try {
      nameNode(index).start();
      return nameNode(index).awaitExit(limit);
    } finally {
      nameNode(index).configure(before);
    }
  }

  /**
   * Starts one of three by Raft, that does not run, as another principal of the KDC; returns when
   * it listens.
   */
  public void startNameNodeAs(int index, String principal) throws Exception {
    Configuration before = ownSettings(index);
    Configuration changed = new Configuration(before);
    SecureSite.describeLogin(changed, kdc, index, principal);
    nameNode(index).configure(changed);
    try {
      startNameNode(index);
    } finally {
      nameNode(index).configure(before);
    }
  }

  /** Another setting of a NameNode, from its next start on. */
  public void configure(int index, String setting, String value) throws IOException {
    Configuration changed = ownSettings(index);
    changed.set(setting, value);
    nameNode(index).configure(changed);
  }

  private Configuration ownSettings(int index) throws IOException {
    Configuration own = new Configuration(false);
    own.addResource(homes.get(index).resolve("conf/hdfs-site.xml").toUri().toURL());
    own.size(); // read now: the file may be about to change
    return own;
  }

  private boolean serves(int index) {
    if (!nameNode(index).isAlive()) {
      throw new AssertionError("the NameNode has ended; " + nameNode(index).describe());
    }
    try (Socket socket = new Socket("localhost", port(index))) {
      return socket.isConnected();
    } catch (IOException e) {
      return false;
    }
  }

  /** Starts DataNodes that were not there before; returns when all are live. */
  public void addDataNodes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      DataNodeProcess dataNode =
          new DataNodeProcess(
              new Configuration(site.conf()),
              folder.resolve("datanode-" + dataNodes.size()),
              1,
              Map.of(
                  "dfs.datanode.hostname",
                  "localhost",
                  "dfs.datanode.https.address",
                  "localhost:0"),
              List.of(kdc.option()));
      for (String file : List.of(Certificate.SERVER, Certificate.CLIENT)) {
        Files.copy(
            folder.resolve("conf").resolve(file), dataNode.folder().resolve("conf").resolve(file));
      }
      dataNodes.add(dataNode);
      dataNode.start();
    }
    Answer live = as("hdfs", "await-datanodes " + dataNodes.size()).get(0);
    if (live.code() != 0) {
      throw new AssertionError(live + "\n" + nameNode().describe());
    }
  }

  /** Runs commands of {@link HadoopCommands} by a user with a ticket. */
  public List<Answer> as(String user, String... commands) throws Exception {
    return answers(run(user, COMMANDS_LIMIT, HadoopCommands.class, commands), commands);
  }

  /** The same of one who has a token, in a file, and no ticket. */
  public List<Answer> by(Path token, String... commands) throws Exception {
    NameNodeProcess.Exit exit =
        run(
            List.of(folder.resolve("conf").toString()),
            Map.of("HADOOP_TOKEN_FILE_LOCATION", token.toString()),
            COMMANDS_LIMIT,
            HadoopCommands.class,
            commands);
    return answers(exit, commands);
  }

  static List<Answer> answers(NameNodeProcess.Exit exit, String... commands) {
    List<Answer> answers = new ArrayList<>();
    StringBuilder text = new StringBuilder();
    for (String line : exit.output().split("\n")) {
      if (line.startsWith(HadoopCommands.EXIT)) {
        int code =
            Integer.parseInt(line.substring(HadoopCommands.EXIT.length(), line.length() - 1));
        answers.add(new Answer(commands[answers.size()], code, text.toString().strip()));
        text.setLength(0);
      } else if (!line.matches("[0-9-]+ [0-9:,]+ (INFO|WARN|DEBUG) .*")) {
        text.append(line).append('\n');
      }
    }
    if (answers.size() != commands.length) {
      throw new AssertionError(exit.output());
    }
    return answers;
  }

  /** Runs a program of Hadoop by a user with a ticket, to its end. */
  public NameNodeProcess.Exit run(
      String user, Duration limit, Class<?> mainClass, String... arguments) throws Exception {
    return run(
        List.of(folder.resolve("conf").toString()), kdc.ticket(user), limit, mainClass, arguments);
  }

  /**
   * The same.
   *
   * @param classPath the folder of its settings, and what it has beyond the tests' class path
   * @param environment its variables, by which it has tickets or tokens
   */
  public NameNodeProcess.Exit run(
      List<String> classPath,
      Map<String, String> environment,
      Duration limit,
      Class<?> mainClass,
      String... arguments)
      throws Exception {
    Path log = Files.createTempFile(folder, mainClass.getSimpleName() + "-", ".log");
    JavaProcess process = begin(classPath, environment, log, mainClass, arguments);
    try {
      return new NameNodeProcess.Exit(process.awaitExit(limit), Files.readString(log));
    } finally {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  private JavaProcess begin(
      List<String> classPath,
      Map<String, String> environment,
      Path log,
      Class<?> mainClass,
      String... arguments)
      throws IOException {
    List<String> all = new ArrayList<>(classPath);
    all.add(System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(List.of(mainClass.getName()));
    command.addAll(List.of(arguments));
    return JavaProcess.start(
        List.of(
            kdc.option(),
            "-Xmx512m",
            "-Djava.net.preferIPv4Stack=true",
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-Dacacia.log.console=INFO"),
        all,
        command,
        environment,
        log);
  }

  /**
   * A user writes a file, as the shell does with what it is given, until this is closed.
   *
   * @param file that has the suffix {@code ._COPYING_} in the meantime
   */
  public AutoCloseable write(String user, String file) throws Exception {
    Path log = Files.createTempFile(folder, "write-", ".log");
    List<String> conf = List.of(folder.resolve("conf").toString());
    return begin(conf, kdc.ticket(user), log, FsShell.class, "-put", "-", file)::kill;
  }

  /** The lines of the audit log, or of nn1's. */
  public List<String> audit() throws IOException {
    return audit(0);
  }

  /** The lines of the audit log of one of several NameNodes. */
  public List<String> audit(int index) throws IOException {
    return Files.readAllLines(homes.get(index).resolve("hdfs-audit.log"));
  }

  /** The settings of all. */
  public Configuration configuration() {
    return new Configuration(site.conf());
  }

  /** Where WebHDFS is, without a path. */
  public String web() {
    return "swebhdfs://localhost:" + httpsPort();
  }

  /** Where a NameNode serves its pages, with a slash at the end. */
  public String pages(int index) {
    String own = "dfs.namenode.https-address.many.nn" + (index + 1);
    return "https://" + site.conf().get(own, "localhost:" + httpsPort()) + "/";
  }

  /** The port of HTTPS. */
  public int httpsPort() {
    return site.httpsPort();
  }

  /** Whose tickets these are. */
  public Kdc kdc() {
    return kdc;
  }

  /** Where all logs are. */
  public Path folder() {
    return folder;
  }

  /** The NameNode's process, or nn1's. */
  public NameNodeProcess nameNode() {
    return nameNode(0);
  }

  /** The process of one of several. */
  public NameNodeProcess nameNode(int index) {
    return nameNodes.get(index);
  }

  /** Where a NameNode listens for calls, on localhost. */
  public int port(int index) {
    return site.port(index);
  }

  /** The process of HBase's region server. */
  public long regionServer() {
    return hbase.hbase().serverPids().get(0);
  }

  @Override
  public void close() throws IOException {
    try {
      for (DataNodeProcess dataNode : dataNodes) {
        if (dataNode.isAlive()) {
          dataNode.kill();
        }
        FileUtil.fullyDelete(dataNode.disks().get(0).toFile());
      }
      for (NameNodeProcess nameNode : nameNodes) {
        if (nameNode.isAlive()) {
          nameNode.terminate();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster ended", e);
    } finally {
      if (hbase != null) {
        hbase.close();
      }
      kdc.close();
      FileUtil.fullyDelete(folder.resolve("name").toFile());
      FileUtil.fullyDelete(nameFolder().toFile());
      FileUtil.fullyDelete(folder.resolve("tmp").toFile());
    }
  }
}
