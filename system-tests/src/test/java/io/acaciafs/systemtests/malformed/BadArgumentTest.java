package io.acaciafs.systemtests.malformed;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import io.acaciafs.systemtests.harness.Tree;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Each bad argument has the outcome that it has with Hadoop's own NameNode, started beside ours.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BadArgumentTest {

  private Cluster ours;
  private Cluster hadoops;
  private ClientProtocol ourNameNode;
  private ClientProtocol hadoopsNameNode;

  /**
   * HDFS fails an assertion of its own on a path that is not absolute. Acacia refuses it as HDFS
   * refuses other invalid paths.
   */
  private static final String FAILED_ASSERTION = AssertionError.class.getName();

  @BeforeAll
  void start() throws Exception {
    ours = Cluster.builder("bad-argument").dataNodes(0).start();
    hadoops =
        Cluster.builder("bad-argument-hadoop").program(NameNodeProgram.HADOOP).dataNodes(0).start();
    ourNameNode = connect(ours);
    hadoopsNameNode = connect(hadoops);
  }

  private static ClientProtocol connect(Cluster cluster) throws IOException {
    cluster.fileSystem().mkdirs(new Path("/some"));
    cluster.fileSystem().create(new Path("/some/good")).close();
    return NameNodeProxiesClient.createProxyWithClientProtocol(
            cluster.clientConfiguration(), cluster.uri(), null)
        .getProxy();
  }

  @AfterAll
  void stop() throws Exception {
    RPC.stopProxy(ourNameNode);
    RPC.stopProxy(hadoopsNameNode);
    ours.close();
    hadoops.close();
  }

  static List<BadArgument> arguments() {
    return BadArgument.all();
  }

  @ParameterizedTest
  @MethodSource("arguments")
  void hasTheOutcomeThatHdfsHas(BadArgument argument) throws Exception {
    String expected = outcome(argument, hadoopsNameNode);
    assertThat(outcome(argument, ourNameNode))
        .isEqualTo(
            expected.equals(FAILED_ASSERTION) ? InvalidPathException.class.getName() : expected);
    assertThat(Tree.list(ours.fileSystem())).isEqualTo(Tree.list(hadoops.fileSystem()));
  }

  /** The exception's class; for an answer, whether there was one and a boolean's value. */
  private static String outcome(BadArgument argument, ClientProtocol nameNode) throws IOException {
    try {
      Object answer = argument.call().on(nameNode);
      return answer == null || answer instanceof Boolean
          ? String.valueOf(answer)
          : answer.getClass().getSimpleName();
    } catch (RemoteException e) {
      assertThat(e.getMessage()).as("message of %s", e.getClassName()).isNotEmpty();
      return e.getClassName();
    }
  }
}
