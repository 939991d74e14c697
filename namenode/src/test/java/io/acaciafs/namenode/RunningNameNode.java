package io.acaciafs.namenode;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.security.UserGroupInformation;

/** A NameNode on free ports in the test's process, and clients of it. No DataNode. */
public final class RunningNameNode implements AutoCloseable {
  private final NameNode nameNode;
  private final DistributedFileSystem fileSystem;
  private final HttpClient http = HttpClient.newHttpClient();

  public RunningNameNode(File folder, Map<String, String> settings) throws IOException {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    settings.forEach(conf::set);
    NameNode.format(conf, "CID-test", false);
    nameNode = NameNode.start(conf);
    fileSystem =
        (DistributedFileSystem)
            FileSystem.newInstance(
                URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort()),
                new HdfsConfiguration());
  }

  /** As the superuser, over RPC; closes with this. */
  NameNode nameNode() {
    return nameNode;
  }

  public DistributedFileSystem fileSystem() {
    return fileSystem;
  }

  /** Where RPC answers, the first place and the others. */
  public List<InetSocketAddress> rpcAddresses() {
    List<InetSocketAddress> addresses = new ArrayList<>(List.of(nameNode.rpcAddress()));
    addresses.addAll(nameNode.moreRpcAddresses());
    return addresses;
  }

  /** As another user; to be closed. */
  public DistributedFileSystem fileSystem(String user) throws IOException, InterruptedException {
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(uri, new HdfsConfiguration()));
  }

  public URI http(String pathAndQuery) {
    return URI.create("http://127.0.0.1:" + nameNode.httpAddress().getPort() + pathAndQuery);
  }

  public URI webHdfs() {
    return URI.create("webhdfs://127.0.0.1:" + nameNode.httpAddress().getPort());
  }

  public HttpResponse<String> send(String method, String pathAndQuery)
      throws IOException, InterruptedException {
    return http.send(
        HttpRequest.newBuilder(http(pathAndQuery))
            .method(method, HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  @Override
  public void close() throws IOException {
    fileSystem.close();
    nameNode.close();
  }
}
