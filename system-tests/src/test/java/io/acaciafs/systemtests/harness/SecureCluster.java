package io.acaciafs.systemtests.harness;

import io.acaciafs.kv.hbase.local.FreePorts;
import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;

/**
 * A KDC, a NameNode nn/localhost and DataNodes dn/localhost, and programs of users, each in a
 * process of its own: the test's process has no tickets. In a fresh folder below {@code
 * target/fork-N/clusters}. Or two NameNodes that share an HBase.
 *
 * <p>The NameNode's principal and that of the user hdfs are the superuser. {@link #close} ends all,
 * and keeps the logs. Not thread-safe.
 */
public final class SecureCluster implements AutoCloseable {
  /** Short names of users; alice is in the group workers, bob in others. */
  private static final List<String> PRINCIPALS =
      List.of("nn/localhost", "dn/localhost", "HTTP/localhost", "hdfs", "alice", "bob");

  private static final String SERVICE = "many";
  private static final Duration SERVE_LIMIT = Duration.ofMinutes(2);
  private static final Duration COMMANDS_LIMIT = Duration.ofMinutes(5);

  private final Path folder;
  private final Kdc kdc;
  private final List<Integer> ports = new ArrayList<>();
  private final int httpsPort = FreePorts.next();
  private final Configuration site = new Configuration(false);
  private final List<DataNodeProcess> dataNodes = new ArrayList<>();
  private final List<Path> homes = new ArrayList<>();
  private final List<NameNodeProcess> nameNodes = new ArrayList<>();
  private SecureHBase hbase;

  /**
   * What a command did.
   *
   * @param code its exit code
   * @param text all that it printed, log lines left out
   */
  public record Answer(String command, int code, String text) {}

  private SecureCluster(String name, Kdc.Starter starter) throws Exception {
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    folder = Files.createTempDirectory(root, name + "-");
    kdc = starter.start(folder.resolve("kdc"));
    ports.add(FreePorts.next());
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
    SecureCluster cluster = new SecureCluster(name, starter);
    try {
      cluster.begin(protection, count, settings);
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  /**
   * The same with NameNodes nn1 and nn2 that share an HBase, which wants Kerberos of everybody.
   * Clients and DataNodes know both, and ask nn1 first.
   */
  public static SecureCluster startOnHBase(String name, int count, Map<String, String> settings)
      throws Exception {
    SecureCluster cluster = new SecureCluster(name, HadoopKdc::new);
    try {
      cluster.beginOnHBase(count, settings);
      return cluster;
    } catch (Throwable e) {
      cluster.close();
      throw e;
    }
  }

  private void begin(String protection, int count, Map<String, String> settings) throws Exception {
    describe(protection);
    settings.forEach(site::set);
    addNameNode(folder, Map.of());
    requireDone(nameNode().format("CID-secure"));
    writePolicy();
    Certificate.write(folder.resolve("conf"));
    startNameNode(0);
    addDataNodes(count);
  }

  private void beginOnHBase(int count, Map<String, String> settings) throws Exception {
    describe("privacy");
    describeService();
    settings.forEach(site::set);
    String shortNames = site.get("hadoop.security.auth_to_local");
    hbase = SecureHBase.start(folder.resolve("hbase"), kdc, shortNames);
    hbase.client("nn/localhost").forEach(site::set);
    site.set("acacia.store.engine", "hbase");
    site.set("acacia.store.hbase.table", "acacia:files");
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
    Path second = Files.createDirectory(folder.resolve("nn2"));
    addNameNode(
        second,
        Map.of(
            "dfs.ha.namenode.id",
            "nn2",
            "dfs.namenode.name.dir",
            second.resolve("name").toUri().toString()));
    for (String file : List.of(Certificate.SERVER, Certificate.CLIENT)) {
      Files.copy(folder.resolve("conf").resolve(file), second.resolve("conf").resolve(file));
    }
    requireDone(nameNode(1).run("bootstrap"));
    startNameNode(0);
    startNameNode(1);
    addDataNodes(count);
  }

  private static void requireDone(NameNodeProcess.Exit exit) {
    if (exit.code() != 0) {
      throw new AssertionError(exit.output());
    }
  }

  private void addNameNode(Path home, Map<String, String> settings) throws IOException {
    Configuration own = new Configuration(site);
    settings.forEach(own::set);
    homes.add(home);
    nameNodes.add(
        new NameNodeProcess(
            NameNodeProgram.underTest(),
            home,
            own,
            List.of(kdc.option(), "-Dhdfs.audit.logger=INFO,RFAAUDIT")));
  }

  /** Starts a NameNode that does not run; returns when it listens. */
  public void startNameNode(int index) throws Exception {
    nameNode(index).start();
    Await.until("the NameNode's port", SERVE_LIMIT, () -> serves(index));
  }

  /** Starts a NameNode that does not run with another setting, and waits until it has ended. */
  public NameNodeProcess.Exit startNameNodeWith(
      int index, String setting, String value, Duration limit) throws Exception {
    Path conf = homes.get(index).resolve("conf/hdfs-site.xml");
    Configuration changed = new Configuration(false);
    changed.addResource(conf.toUri().toURL());
    changed.size(); // read now: the file is about to change
    Configuration before = new Configuration(changed);
    changed.set(setting, value);
    nameNode(index).configure(changed);
    try {
      nameNode(index).start();
      return nameNode(index).awaitExit(limit);
    } finally {
      nameNode(index).configure(before);
    }
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

  /** All users may do what HDFS lets all do, and refresh nothing. */
  private void writePolicy() throws IOException {
    Configuration policy = new Configuration(false);
    for (String refresh : List.of("policy", "user.mappings", "callqueue")) {
      policy.set("security.refresh." + refresh + ".protocol.acl", "hdfs");
    }
    try (OutputStream out = Files.newOutputStream(folder.resolve("conf/hadoop-policy.xml"))) {
      policy.writeXml(out);
    }
  }

  /** Two NameNodes in the place of one. */
  private void describeService() throws IOException {
    ports.add(FreePorts.next());
    site.unset("dfs.namenode.rpc-address");
    site.unset("dfs.namenode.https-address");
    site.set("fs.defaultFS", "hdfs://" + SERVICE);
    site.set("dfs.nameservices", SERVICE);
    site.set("dfs.ha.namenodes." + SERVICE, "nn1,nn2");
    site.set(
        "dfs.client.failover.proxy.provider." + SERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    site.set("dfs.client.failover.random.order", "false");
    for (int i = 0; i < ports.size(); i++) {
      String suffix = "." + SERVICE + ".nn" + (i + 1);
      site.set("dfs.namenode.rpc-address" + suffix, "localhost:" + ports.get(i));
      int https = i == 0 ? httpsPort : FreePorts.next();
      site.set("dfs.namenode.https-address" + suffix, "localhost:" + https);
    }
  }

  private void describe(String protection) throws Exception {
    for (String principal : PRINCIPALS) {
      kdc.create(principal);
    }
    site.set("fs.defaultFS", "hdfs://localhost:" + port(0));
    site.set("dfs.namenode.rpc-address", "localhost:" + port(0));
    site.set("dfs.http.policy", "HTTPS_ONLY");
    site.set("dfs.namenode.https-address", "localhost:" + httpsPort);
    site.set("dfs.web.authentication.kerberos.principal", "HTTP/_HOST" + Kdc.REALM);
    site.set("dfs.web.authentication.kerberos.keytab", kdc.keytab("HTTP/localhost").toString());
    site.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    site.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    site.set("dfs.namenode.safemode.extension", "0");
    site.set("dfs.heartbeat.interval", "1");
    site.set("dfs.namenode.redundancy.interval.seconds", "1");
    site.set("dfs.namenode.redundancy.considerLoad", "false");
    site.set("dfs.replication", "2");
    site.set("hadoop.security.authentication", "kerberos");
    site.set("hadoop.security.authorization", "true");
    site.set("hadoop.rpc.protection", protection);
    site.set("dfs.data.transfer.protection", protection);
    site.set("dfs.block.access.token.enable", "true");
    site.set(
        "hadoop.security.auth_to_local",
        "RULE:[2:$1/$2@$0]([nd]n/.*@EXAMPLE.COM)s/.*/hdfs/\nDEFAULT");
    site.set("hadoop.user.group.static.mapping.overrides", "alice=workers;bob=others;hdfs=");
    site.set("dfs.namenode.kerberos.principal", "nn/_HOST" + Kdc.REALM);
    site.set("dfs.namenode.keytab.file", kdc.keytab("nn/localhost").toString());
    site.set("dfs.datanode.kerberos.principal", "dn/_HOST" + Kdc.REALM);
    site.set("dfs.datanode.keytab.file", kdc.keytab("dn/localhost").toString());
    // The renewer of tokens of jobs in one process, which end before a token does.
    site.set("yarn.resourcemanager.principal", "rm/_HOST" + Kdc.REALM);
  }

  /** Starts DataNodes that were not there before; returns when all are live. */
  public void addDataNodes(int count) throws Exception {
    for (int i = 0; i < count; i++) {
      DataNodeProcess dataNode =
          new DataNodeProcess(
              new Configuration(site),
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
    NameNodeProcess.Exit exit = run(user, COMMANDS_LIMIT, HadoopCommands.class, commands);
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
    List<String> all = new ArrayList<>(classPath);
    all.add(System.getProperty("java.class.path"));
    List<String> command = new ArrayList<>(List.of(mainClass.getName()));
    command.addAll(List.of(arguments));
    JavaProcess process =
        JavaProcess.start(
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
    try {
      return new NameNodeProcess.Exit(process.awaitExit(limit), Files.readString(log));
    } finally {
      if (process.isAlive()) {
        process.kill();
      }
    }
  }

  /** The lines of the audit log. */
  public List<String> audit() throws IOException {
    return Files.readAllLines(folder.resolve("hdfs-audit.log"));
  }

  /** The settings of all. */
  public Configuration configuration() {
    return new Configuration(site);
  }

  /** Where WebHDFS is, without a path. */
  public String web() {
    return "swebhdfs://localhost:" + httpsPort;
  }

  /** The port of HTTPS. */
  public int httpsPort() {
    return httpsPort;
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

  /** The process of one of two. */
  public NameNodeProcess nameNode(int index) {
    return nameNodes.get(index);
  }

  /** Where a NameNode listens for calls, on localhost. */
  public int port(int index) {
    return ports.get(index);
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
      FileUtil.fullyDelete(folder.resolve("tmp").toFile());
    }
  }
}
