package io.acaciafs.systemtests.harness;

import java.io.IOException;
import java.net.URI;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;

/** Hadoop's client behind a connection that can lose replies, whose calls it sends again. */
public final class LossyClient implements AutoCloseable {
  private static final URI NAMESERVICE = URI.create("hdfs://lossy");

  /** What happens to the NameNode between the two attempts of a call. */
  public record Between(String name, ReplyCutter.Meanwhile meanwhile) {
    @Override
    public String toString() {
      return name;
    }
  }

  private final Cluster cluster;
  private final ReplyCutter cutter;
  private final ClientProtocol nameNode;
  private final DistributedFileSystem fileSystem;

  public LossyClient(Cluster cluster) throws IOException {
    this.cluster = cluster;
    this.cutter = new ReplyCutter(cluster.port());
    Configuration conf = configuration();
    this.nameNode =
        NameNodeProxiesClient.createProxyWithClientProtocol(conf, NAMESERVICE, null).getProxy();
    this.fileSystem = (DistributedFileSystem) FileSystem.newInstance(NAMESERVICE, conf);
  }

  /** Only clients of a logical nameservice send calls again. */
  private Configuration configuration() {
    Configuration conf = cluster.clientConfiguration();
    conf.set("dfs.nameservices", "lossy");
    conf.set("dfs.ha.namenodes.lossy", "one");
    conf.set("dfs.namenode.rpc-address.lossy.one", "127.0.0.1:" + cutter.port());
    conf.set(
        "dfs.client.failover.proxy.provider.lossy",
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    return conf;
  }

  /** What may happen between two attempts. */
  public static Stream<Between> between(Cluster cluster) {
    return Stream.of(
        new Between("the same NameNode", () -> {}),
        new Between(
            "a NameNode that was killed and started again",
            () -> {
              cluster.killNameNode();
              cluster.startNameNode();
            }));
  }

  /** Single calls. */
  public ClientProtocol nameNode() {
    return nameNode;
  }

  /** Whole files. */
  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** Loses the reply to the next call of this method. */
  public void loseReplyTo(String method, Between between) {
    cutter.cutReplyTo(method, between.meanwhile());
  }

  /** Whether the reply was lost by now, and nothing went wrong meanwhile. */
  public boolean hasLost() throws Exception {
    return cutter.hasCut();
  }

  @Override
  public void close() throws IOException {
    RPC.stopProxy(nameNode);
    fileSystem.close();
    cutter.close();
  }
}
