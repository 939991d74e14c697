package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.ReplyCutter;
import io.acaciafs.systemtests.harness.ReplyCutter.Meanwhile;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.RPC;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The connection ends after a call was sent and before its reply came; Hadoop's client sends the
 * call again. It takes effect once, and the client sees the first answer.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LostReplyTest {
  private static final Path FOLDER = new Path("/lost-reply");
  private static final long BLOCK_SIZE = 1 << 20;

  private Cluster cluster;
  private ReplyCutter cutter;
  private ClientProtocol nameNode;

  /** What happens to the NameNode between the two attempts. */
  private record Between(String name, Meanwhile meanwhile) {
    @Override
    public String toString() {
      return name;
    }
  }

  @BeforeAll
  void start() throws Exception {
    cluster = Cluster.builder("lost-reply").dataNodes(0).start();
    cutter = new ReplyCutter(cluster.port());
    nameNode =
        NameNodeProxiesClient.createProxyWithClientProtocol(
                clientThatRetries(), URI.create("hdfs://lossy"), null)
            .getProxy();
  }

  /** Only clients of a logical nameservice send calls again. */
  private Configuration clientThatRetries() {
    Configuration conf = cluster.clientConfiguration();
    conf.set("dfs.nameservices", "lossy");
    conf.set("dfs.ha.namenodes.lossy", "one");
    conf.set("dfs.namenode.rpc-address.lossy.one", "127.0.0.1:" + cutter.port());
    conf.set(
        "dfs.client.failover.proxy.provider.lossy",
        "org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider");
    return conf;
  }

  @AfterAll
  void stop() throws Exception {
    RPC.stopProxy(nameNode);
    cutter.close();
    cluster.close();
  }

  @BeforeEach
  void makeFiles() throws IOException {
    DistributedFileSystem fs = cluster.fileSystem();
    fs.delete(FOLDER, true);
    fs.mkdirs(FOLDER);
    fs.create(path("old")).close();
    nameNode.getFileInfo("/"); // connected, so that the next reply is the one that counts
  }

  private static Path path(String name) {
    return new Path(FOLDER, name);
  }

  private static String src(String name) {
    return FOLDER + "/" + name;
  }

  Stream<Between> between() {
    return Stream.of(
        new Between("the same NameNode", () -> {}),
        new Between(
            "a NameNode that was killed and started again",
            () -> {
              cluster.killNameNode();
              cluster.startNameNode();
            }));
  }

  @ParameterizedTest
  @MethodSource("between")
  void create(Between between) throws Exception {
    cutter.cutNextReply(between.meanwhile());
    HdfsFileStatus answer =
        nameNode.create(
            src("new"),
            FsPermission.getFileDefault(),
            "client",
            new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
            true,
            (short) 1,
            BLOCK_SIZE,
            CryptoProtocolVersion.supported(),
            null,
            null);

    assertThat(cutter.hasCut()).isTrue();
    assertThat(answer.getFileId())
        .isEqualTo(cluster.fileSystem().getClient().getFileInfo(src("new")).getFileId());
  }

  @ParameterizedTest
  @MethodSource("between")
  void delete(Between between) throws Exception {
    cutter.cutNextReply(between.meanwhile());

    assertThat(nameNode.delete(src("old"), false)).isTrue();
    assertThat(cutter.hasCut()).isTrue();
    assertThat(cluster.fileSystem().exists(path("old"))).isFalse();
  }

  @ParameterizedTest
  @MethodSource("between")
  @SuppressWarnings("deprecation") // clients still call it
  void rename(Between between) throws Exception {
    cutter.cutNextReply(between.meanwhile());

    assertThat(nameNode.rename(src("old"), src("new"))).isTrue();
    assertThat(cutter.hasCut()).isTrue();
    assertThat(cluster.fileSystem().exists(path("old"))).isFalse();
    assertThat(cluster.fileSystem().exists(path("new"))).isTrue();
  }

  @ParameterizedTest
  @MethodSource("between")
  void rename2(Between between) throws Exception {
    cluster.fileSystem().create(path("new")).close();
    long moved = cluster.fileSystem().getClient().getFileInfo(src("old")).getFileId();
    cutter.cutNextReply(between.meanwhile());

    nameNode.rename2(src("old"), src("new"), Options.Rename.OVERWRITE);
    assertThat(cutter.hasCut()).isTrue();
    assertThat(cluster.fileSystem().exists(path("old"))).isFalse();
    assertThat(cluster.fileSystem().getClient().getFileInfo(src("new")).getFileId())
        .isEqualTo(moved);
  }
}
