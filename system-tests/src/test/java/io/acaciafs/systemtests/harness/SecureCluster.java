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
 * target/fork-N/clusters}.
 *
 * <p>The NameNode's principal and that of the user hdfs are the superuser. {@link #close} ends all,
 * and keeps the logs. Not thread-safe.
 */
public final class SecureCluster implements AutoCloseable {
  /** Short names of users; alice is in the group workers, bob in others. */
  private static final List<String> PRINCIPALS =
      List.of("nn/localhost", "dn/localhost", "HTTP/localhost", "hdfs", "alice", "bob");

  private static final Duration SERVE_LIMIT = Duration.ofMinutes(2);
  private static final Duration COMMANDS_LIMIT = Duration.ofMinutes(5);

  private final Path folder;
  private final Kdc kdc;
  private final int port = FreePorts.next();
  private final int httpsPort = FreePorts.next();
  private final Configuration site = new Configuration(false);
  private final List<DataNodeProcess> dataNodes = new ArrayList<>();
  private NameNodeProcess nameNode;

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

  private void begin(String protection, int count, Map<String, String> settings) throws Exception {
    for (String principal : PRINCIPALS) {
      kdc.create(principal);
    }
    describe(protection);
    settings.forEach(site::set);
    nameNode =
        new NameNodeProcess(
            NameNodeProgram.underTest(),
            folder,
            site,
            List.of(kdc.option(), "-Dhdfs.audit.logger=INFO,RFAAUDIT"));
    NameNodeProcess.Exit format = nameNode.format("CID-secure");
    if (format.code() != 0) {
      throw new AssertionError("format failed: " + format.output());
    }
    writePolicy();
    Certificate.write(folder.resolve("conf"));
    nameNode.start();
    Await.until("the NameNode's port", SERVE_LIMIT, this::serves);
    addDataNodes(count);
  }

  private boolean serves() {
    if (!nameNode.isAlive()) {
      throw new AssertionError("the NameNode has ended; " + nameNode.describe());
    }
    try (Socket socket = new Socket("localhost", port)) {
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

  private void describe(String protection) throws IOException {
    site.set("fs.defaultFS", "hdfs://localhost:" + port);
    site.set("dfs.namenode.rpc-address", "localhost:" + port);
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
      throw new AssertionError(live + "\n" + nameNode.describe());
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

  /** The NameNode's process. */
  public NameNodeProcess nameNode() {
    return nameNode;
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
      if (nameNode != null && nameNode.isAlive()) {
        nameNode.terminate();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while the cluster ended", e);
    } finally {
      kdc.close();
      FileUtil.fullyDelete(folder.resolve("name").toFile());
      FileUtil.fullyDelete(folder.resolve("tmp").toFile());
    }
  }
}
