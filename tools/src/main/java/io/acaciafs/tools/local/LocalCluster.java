package io.acaciafs.tools.local;

import io.acaciafs.namenode.NameNode;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.tools.common.CommandFailure;
import io.acaciafs.tools.common.FirstDirectories;
import io.acaciafs.tools.common.FolderLock;
import io.acaciafs.tools.common.Hints;
import io.acaciafs.tools.common.LocalPorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.datanode.DataNode;

/**
 * A NameNode and one DataNode (Hadoop's own) in this process, with all their state in one folder.
 *
 * <p>Not thread-safe. {@link #close} stops both and lets go of the folder.
 */
final class LocalCluster implements LocalDeployment {
  private final ResourceStack resources = new ResourceStack();
  private final Configuration conf;
  private final URI uri;
  private final InetSocketAddress webAddress;
  private final InetSocketAddress dataNodeAddress;
  private final Optional<LocalKerberos> kerberos;

  private LocalCluster(
      Path folder,
      LocalPorts ports,
      Configuration configured,
      boolean secure,
      Consumer<String> steps)
      throws Exception {
    try {
      resources.add(FolderLock.take(folder));
      conf = configured;
      String host = conf.get("dfs.datanode.hostname");
      if (secure) {
        steps.accept("Starting the KDC");
        LocalKerberos added = resources.add(LocalKerberos.start(folder.resolve("secure")));
        added.configure(conf, host, ports);
        kerberos = Optional.of(added);
      } else {
        kerberos = Optional.empty();
      }
      boolean isNew = !NameNode.isFormatted(conf);
      if (isNew) {
        steps.accept("Formatting a new file system");
        NameNode.format(conf, null, false);
      }
      steps.accept("Starting the NameNode");
      NameNode nameNode = resources.add(startNameNode());
      webAddress = nameNode.httpAddress();
      uri = URI.create("hdfs://" + host + ":" + nameNode.rpcAddress().getPort());
      conf.set("fs.defaultFS", uri.toString());
      conf.set("dfs.namenode.rpc-address", uri.getAuthority());
      nameNode
          .webAddresses()
          .forEach((setting, address) -> conf.set(setting, host + ":" + address.getPort()));
      steps.accept("Starting the DataNode");
      DataNode dataNode = LocalDataNode.start(conf, resources);
      dataNodeAddress = dataNode.getXferAddress();
      try (DistributedFileSystem fs = newFileSystem()) {
        LocalDataNode.awaitLive(dataNode, fs);
        if (isNew) {
          FirstDirectories.make(fs);
        }
        if (kerberos.isPresent()) {
          kerberos.get().makeGuestsDirectory(fs);
          kerberos.get().writeSettings(conf);
        }
      }
    } catch (Exception e) {
      throw resources.closeAfter(e);
    }
  }

  /**
   * Starts both, formatting the folder on first use; returns when the DataNode is live.
   *
   * @param host the name or address that both listen on
   * @param base settings to start from; not changed
   * @param steps gets a readable text for each step that begins; on the caller's thread
   */
  static LocalCluster start(
      Path folder, String host, LocalPorts ports, Configuration base, Consumer<String> steps)
      throws Exception {
    Path absolute = folder.toAbsolutePath();
    return new LocalCluster(absolute, ports, configure(absolute, host, ports, base), false, steps);
  }

  /** The same on localhost with Kerberos, and a KDC of its own. */
  static LocalCluster startSecure(
      Path folder, LocalPorts ports, Configuration base, Consumer<String> steps) throws Exception {
    Path absolute = folder.toAbsolutePath();
    Configuration conf = configure(absolute, "localhost", ports, base);
    return new LocalCluster(absolute, ports, conf, true, steps);
  }

  private static Configuration configure(
      Path folder, String host, LocalPorts ports, Configuration base) {
    Configuration conf = new Configuration(base);
    conf.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    // Else each start leaves a folder in the system's temporary one.
    conf.set("hadoop.http.temp.dir", folder.resolve("tmp/http").toString());
    conf.set("dfs.namenode.name.dir", folder.resolve("name").toUri().toString());
    conf.set("dfs.namenode.rpc-address", host + ":" + ports.rpc());
    conf.set("dfs.namenode.http-address", host + ":" + ports.web());
    conf.set("fs.defaultFS", "hdfs://" + host + ":" + ports.rpc());
    conf.set("dfs.datanode.data.dir", folder.resolve("data").toUri().toString());
    LocalDataNode.configure(conf, host, ports);
    return conf;
  }

  private NameNode startNameNode() throws IOException, CommandFailure {
    try {
      return NameNode.start(conf);
    } catch (IOException e) {
      if (Hints.isPortInUse(e)) {
        String address =
            conf.get("dfs.namenode.rpc-address")
                + " and "
                + conf.get(
                    kerberos.isPresent()
                        ? "dfs.namenode.https-address"
                        : "dfs.namenode.http-address");
        throw new CommandFailure(
            LocalDataNode.portInUse("NameNode", address, "--port, --http-port"), e);
      }
      throw e;
    }
  }

  @Override
  public DistributedFileSystem newFileSystem() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(uri, conf);
  }

  /** A new configuration for clients of this file system. */
  Configuration clientConfiguration() {
    return new Configuration(conf);
  }

  /** What clients need for Kerberos, where it was started with it. */
  Optional<LocalKerberos> kerberos() {
    return kerberos;
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public InetSocketAddress webAddress() {
    return webAddress;
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
