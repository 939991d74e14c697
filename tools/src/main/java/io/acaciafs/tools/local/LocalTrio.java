package io.acaciafs.tools.local;

import io.acaciafs.bench.compare.JavaProgram;
import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.Await;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.FirstDirectories;
import io.acaciafs.tools.common.FolderLock;
import io.acaciafs.tools.common.LocalPorts;
import io.acaciafs.tools.common.SiteFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.net.NetUtils;

/**
 * Three NameNodes of which one leads, each a process of its own, and one DataNode in this process,
 * with all their state in one folder. The first start chooses the ports and writes them into {@code
 * conf} of the folder, which is for clients too.
 */
final class LocalTrio implements LocalDeployment {
  private static final String NAMESERVICE = "acacia";
  private static final List<String> NAMES = List.of("nn1", "nn2", "nn3");
  private static final String MAIN = "io.acaciafs.tools.Acacia";
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Path folder;
  private final Configuration conf;
  private final ResourceStack resources = new ResourceStack();
  private final InetSocketAddress dataNodeAddress;

  private LocalTrio(
      Path folder, String host, LocalPorts ports, Configuration base, Consumer<String> steps)
      throws Exception {
    this.folder = folder;
    try {
      resources.add(FolderLock.take(folder));
      conf = new Configuration(base);
      addSettings(host, ports);
      boolean isNew = !Files.exists(version("nn1"));
      for (String name : NAMES) {
        startNameNode(name, steps);
      }
      steps.accept("Waiting for a leader");
      try (DistributedFileSystem fs = newFileSystem()) {
        awaitAnswer(fs);
        steps.accept("Starting the DataNode");
        DataNode dataNode = LocalDataNode.start(conf, resources);
        dataNodeAddress = dataNode.getXferAddress();
        LocalDataNode.awaitLive(dataNode, fs);
        if (isNew) {
          FirstDirectories.make(fs);
        }
      }
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }

  /**
   * Starts all, and prepares the folder on first use; returns when the DataNode is live.
   *
   * @param host the name or address that all listen on
   * @param ports of the first NameNode and the DataNode; the others have the next ones. The first
   *     start alone uses them
   * @param base settings to start from; not changed
   * @param steps gets a readable text for each step that begins; on the caller's thread
   */
  static LocalTrio start(
      Path folder, String host, LocalPorts ports, Configuration base, Consumer<String> steps)
      throws Exception {
    return new LocalTrio(folder.toAbsolutePath(), host, ports, base, steps);
  }

  /** The folder with the settings, for clients. */
  Path confFolder() {
    return folder.resolve("conf");
  }

  private void addSettings(String host, LocalPorts ports) throws IOException {
    Path stored = confFolder().resolve("hdfs-site.xml");
    if (!Files.exists(stored)) {
      SiteFiles.write(chosen(host, ports), confFolder());
    }
    Configuration earlier = new Configuration(false);
    earlier.addResource(stored.toUri().toURL());
    earlier.forEach(setting -> conf.set(setting.getKey(), setting.getValue()));
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    conf.set("hadoop.http.temp.dir", folder.resolve("tmp/http").toString());
    conf.set("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
  }

  private static Configuration chosen(String host, LocalPorts ports) throws IOException {
    Configuration chosen = new Configuration(false);
    chosen.set("fs.defaultFS", "hdfs://" + NAMESERVICE);
    chosen.set("dfs.nameservices", NAMESERVICE);
    chosen.set("dfs.ha.namenodes." + NAMESERVICE, String.join(",", NAMES));
    chosen.set(
        "dfs.client.failover.proxy.provider." + NAMESERVICE,
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    chosen.set("acacia.store.engine", "raft");
    List<String> members = new ArrayList<>();
    for (int i = 0; i < NAMES.size(); i++) {
      String of = "." + NAMESERVICE + "." + NAMES.get(i);
      chosen.set("dfs.namenode.rpc-address" + of, host + ":" + port(ports.rpc(), i));
      chosen.set("dfs.namenode.http-address" + of, host + ":" + port(ports.web(), i));
      members.add(NAMES.get(i) + "=" + host + ":" + FreePorts.next());
    }
    chosen.set("acacia.store.raft.members", String.join(",", members));
    LocalDataNode.configure(chosen, host, ports);
    return chosen;
  }

  private static int port(int first, int index) throws IOException {
    return first == 0 ? FreePorts.next() : first + index;
  }

  private Path version(String name) {
    return folder.resolve(name).resolve("name/current/VERSION");
  }

  private void startNameNode(String name, Consumer<String> steps)
      throws IOException, InterruptedException, TimeoutException {
    Path own = folder.resolve(name);
    Configuration site = new Configuration(conf);
    site.set("dfs.ha.namenode.id", name);
    site.set("dfs.namenode.name.dir", own.resolve("name").toUri().toString());
    site.set("hadoop.tmp.dir", own.resolve("tmp").toString());
    site.set("hadoop.http.temp.dir", own.resolve("tmp/http").toString());
    SiteFiles.write(site, own.resolve("conf"));
    if (!Files.exists(version(name))) {
      String command = name.equals("nn1") ? "format" : "bootstrap";
      steps.accept("Preparing NameNode " + name);
      try (JavaProgram program = run(name, command, List.of(command))) {
        program.awaitSuccess(LIMIT);
      }
    }
    steps.accept("Starting NameNode " + name);
    Path ready = own.resolve("ready");
    Files.deleteIfExists(ready);
    JavaProgram program =
        resources.add(run(name, "namenode", List.of("namenode", "--ready-file=" + ready)));
    Await.until(
        "The start of NameNode " + name,
        LIMIT,
        () -> {
          program.requireAlive();
          return Files.exists(ready);
        });
  }

  private JavaProgram run(String name, String command, List<String> arguments) throws IOException {
    Path own = folder.resolve(name);
    return JavaProgram.start(
        own.resolve("conf"),
        List.of("-Djava.net.preferIPv4Stack=true", "-Dhadoop.log.dir=" + own),
        MAIN,
        arguments,
        own.resolve(command + ".log"));
  }

  private static void awaitAnswer(DistributedFileSystem fs)
      throws IOException, InterruptedException, CommandFailure {
    try {
      Await.until("A leader", LIMIT, () -> answers(fs));
    } catch (TimeoutException e) {
      throw new CommandFailure(e.getMessage() + "; the logs in nn1, nn2 and nn3 say why.", e);
    }
  }

  private static boolean answers(DistributedFileSystem fs) {
    try {
      return fs.exists(new org.apache.hadoop.fs.Path("/"));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public DistributedFileSystem newFileSystem() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(uri(), conf);
  }

  @Override
  public URI uri() {
    return URI.create("hdfs://" + NAMESERVICE);
  }

  @Override
  public InetSocketAddress webAddress() {
    return NetUtils.createSocketAddr(
        conf.get("dfs.namenode.http-address." + NAMESERVICE + "." + NAMES.get(0)));
  }

  @Override
  public InetSocketAddress dataNodeAddress() {
    return dataNodeAddress;
  }

  @Override
  public void close() throws IOException {
    resources.close();
  }
}
