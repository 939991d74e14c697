package org.apache.hadoop.hdfs;

import io.acaciafs.namenode.NameNode;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;

/**
 * Acacia's NameNode in this process, without DataNodes: for tests whose own classes the NameNode
 * runs.
 */
final class LocalMiniCluster extends MiniDFSCluster {
  private static final int PAGES_LIMIT_MS = 60_000;

  private final Configuration conf;
  private final NameNode nameNode;
  private boolean isShutDown;

  LocalMiniCluster(Configuration conf) throws IOException {
    super(conf);
    this.conf = conf;
    Path root = Path.of(System.getProperty("acacia.clusters"));
    Files.createDirectories(root);
    Configuration own = new Configuration(conf);
    own.set("dfs.namenode.name.dir", Files.createTempDirectory(root, "local-").toString());
    own.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    own.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    own.set("dfs.namenode.http-address", "127.0.0.1:0");
    NameNode.format(own, "CID-local", false);
    nameNode = NameNode.start(own);
    FileSystem.setDefaultUri(conf, getURI());
    awaitPages();
  }

  /** Whose filters take settings for the whole process, as Hadoop's do before its cluster is up. */
  private void awaitPages() throws IOException {
    URI page = URI.create("http://127.0.0.1:" + nameNode.httpAddress().getPort() + "/isActive");
    HttpURLConnection connection = (HttpURLConnection) page.toURL().openConnection();
    connection.setReadTimeout(PAGES_LIMIT_MS);
    connection.getResponseCode(); // comes when the web server has started; filters may refuse it
  }

  @Override
  public URI getURI() {
    return URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
  }

  @Override
  public org.apache.hadoop.hdfs.server.namenode.NameNode getNameNode() {
    return new NameNodeDouble(
            nameNode.rpcAddress(), nameNode.httpAddress(), conf, MiniDFSCluster::needsInternals)
        .nameNode();
  }

  @Override
  public Configuration getConfiguration(int index) {
    return conf;
  }

  @Override
  public DistributedFileSystem getFileSystem() throws IOException {
    return (DistributedFileSystem) FileSystem.get(getURI(), conf);
  }

  @Override
  public void shutdown(boolean deletesFolders, boolean closesFileSystems) {
    if (!isShutDown) {
      isShutDown = true;
      try {
        FileSystem.closeAll();
        nameNode.close();
      } catch (IOException e) {
        throw new IllegalStateException("the NameNode does not stop", e);
      }
    }
  }
}
