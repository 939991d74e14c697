package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.protocol.OpenFileEntry;
import org.apache.hadoop.hdfs.protocol.OpenFilesIterator.OpenFilesType;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Router calls for its clients, and says in the context of each call for whom. */
class RoutedClientsTest {
  private static final Path FILE = new Path("/file");
  private static final String CLIENT = "clientIp:10.1.2.3,clientPort:4711";
  private static final String CALL = CLIENT + ",clientId:0123456789abcdef0123456789abcdef";

  @TempDir private File folder;
  private RunningNameNode nameNode;

  @BeforeEach
  void start() throws IOException {
    String own = UserGroupInformation.getLoginUser().getShortUserName();
    nameNode =
        new RunningNameNode(
            folder,
            Map.of(
                "dfs.namenode.ip-proxy-users",
                "another, router",
                "hadoop.proxyuser.router.hosts",
                "*",
                "hadoop.proxyuser.router.users",
                own,
                "hadoop.caller.context.enabled",
                "true"));
  }

  @AfterEach
  void close() throws IOException {
    CallerContext.setCurrent(null);
    nameNode.close();
  }

  /** A connection of its own, so another client id. */
  private DistributedFileSystem connect(UserGroupInformation as) throws Exception {
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.nameNode().rpcAddress().getPort());
    Configuration conf = new HdfsConfiguration();
    conf.setBoolean("hadoop.caller.context.enabled", true);
    return as.doAs(
        (PrivilegedExceptionAction<DistributedFileSystem>)
            () -> (DistributedFileSystem) FileSystem.newInstance(uri, conf));
  }

  private static UserGroupInformation own() throws IOException {
    return UserGroupInformation.getLoginUser();
  }

  /** In the name of the superuser. */
  private static UserGroupInformation router() throws IOException {
    return UserGroupInformation.createProxyUser(
        own().getShortUserName(), UserGroupInformation.createRemoteUser("router"));
  }

  private boolean delete(UserGroupInformation as, String context) throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder(context).build());
    try (DistributedFileSystem fs = connect(as)) {
      return fs.delete(FILE, false);
    }
  }

  private void make() throws IOException {
    nameNode.fileSystem().create(FILE, true).close();
  }

  @Test
  void aCallThatComesThroughAnotherRouterRunsOnce() throws Exception {
    make();
    assertThat(delete(router(), CALL + ",clientCallId:7")).isTrue();
    make();
    assertThat(delete(router(), CALL + ",clientCallId:7,own:context")).isTrue();
    assertThat(nameNode.fileSystem().exists(FILE)).isTrue();

    assertThat(delete(router(), CALL + ",clientCallId:8")).isTrue();
    assertThat(nameNode.fileSystem().exists(FILE)).isFalse();
  }

  @Test
  void nobodyElseIsBelieved() throws Exception {
    make();
    assertThat(delete(own(), CALL + ",clientCallId:7")).isTrue();
    assertThat(delete(own(), CALL + ",clientCallId:7")).isFalse();
    make();
    assertThat(delete(router(), CALL + ",clientCallId:7")).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        ",clientCallId:7",
        ",clientId:0123,clientCallId:7",
        ",clientId:no number of sixteen bytes no num,clientCallId:7",
        ",clientId:0123456789abcdef0123456789abcdef",
        ",clientId:0123456789abcdef0123456789abcdef,clientCallId:",
        ",clientId:0123456789abcdef0123456789abcdef,clientCallId:-7",
        ",clientId:0123456789abcdef0123456789abcdef,clientCallId:99999999999"
      })
  void whatIsNoIdLeavesTheConnections(String ids) throws Exception {
    make();
    assertThat(delete(router(), CLIENT + ids)).isTrue();
    assertThat(delete(router(), CLIENT + ids)).isFalse();
  }

  @Test
  void aWriterIsWhereItsClientIs() throws Exception {
    CallerContext.setCurrent(new CallerContext.Builder(CALL + ",clientCallId:7").build());
    try (DistributedFileSystem fs = connect(router());
        FSDataOutputStream out = fs.create(FILE)) {
      assertThat(out.getPos()).isZero();
      RemoteIterator<OpenFileEntry> open =
          nameNode.fileSystem().listOpenFiles(EnumSet.of(OpenFilesType.ALL_OPEN_FILES), "/");
      assertThat(open.next().getClientMachine()).isEqualTo("10.1.2.3");
    }
  }
}
