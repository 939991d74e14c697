package io.acaciafs.systemtests.features;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.NameNodeProxiesClient;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * Calls for features that a fresh HDFS does not use get the answers and refusals of a fresh HDFS.
 * The test compares them with Hadoop's NameNode. Acacia refuses the calls that would begin to use
 * such a feature, and says so.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AbsentFeatureTest {
  private Cluster ours;
  private Cluster hadoops;

  @BeforeAll
  void start() throws Exception {
    ours = cluster("features", NameNodeProgram.ACACIA);
    hadoops = cluster("features-hadoop", NameNodeProgram.HADOOP);
  }

  private static Cluster cluster(String name, NameNodeProgram program) throws Exception {
    Cluster cluster =
        Cluster.builder(name)
            .program(program)
            .dataNodes(0)
            // so none is enabled in HDFS either
            .set("dfs.namenode.ec.system.default.policy", " ")
            .set("dfs.namenode.ec.userdefined.policy.allowed", "false")
            .start();
    DistributedFileSystem fs = cluster.fileSystem();
    fs.mkdirs(new Path("/some/dir"));
    fs.create(new Path("/some/good")).close();
    fs.mkdirs(new Path("/closed/dir"));
    fs.setPermission(new Path("/closed"), new FsPermission((short) 0700));
    return cluster;
  }

  @AfterAll
  void stop() throws Exception {
    ours.close();
    hadoops.close();
  }

  @Test
  void answersTheSuperuserAsHdfsDoes() throws Exception {
    assertThat(differences(UserGroupInformation.getCurrentUser())).isEmpty();
  }

  @Test
  void answersOthersAsHdfsDoes() throws Exception {
    assertThat(differences(UserGroupInformation.createRemoteUser("somebody"))).isEmpty();
  }

  /** The first step to what is not there is refused in words that name Acacia. */
  @Test
  void refusesWhatWouldBegin() throws Exception {
    ClientProtocol nameNode = connect(ours);
    for (FeatureCall call : FeatureCall.beginnings()) {
      assertThat(outcome(call, nameNode))
          .as(call.name())
          .startsWith(UnsupportedOperationException.class.getName())
          .matches(".*: Acacia does not support .* yet");
    }
    RPC.stopProxy(nameNode);
  }

  /** What both answer to each call where it is not the same. */
  private List<String> differences(UserGroupInformation user) throws Exception {
    Map<String, String> expected = outcomes(hadoops, user);
    List<String> differences = new ArrayList<>();
    outcomes(ours, user)
        .forEach(
            (call, outcome) -> {
              if (!outcome.equals(expected.get(call))) {
                differences.add(
                    call + "\n  ours:   " + outcome + "\n  hdfs's: " + expected.get(call) + "\n");
              }
            });
    return differences;
  }

  private static Map<String, String> outcomes(Cluster cluster, UserGroupInformation user)
      throws Exception {
    return user.doAs(
        (PrivilegedExceptionAction<Map<String, String>>)
            () -> {
              ClientProtocol nameNode = connect(cluster);
              Map<String, String> outcomes = new TreeMap<>();
              for (FeatureCall call : FeatureCall.all()) {
                outcomes.merge(call.name(), outcome(call, nameNode), (a, b) -> a + "; " + b);
              }
              RPC.stopProxy(nameNode);
              return outcomes;
            });
  }

  private static ClientProtocol connect(Cluster cluster) throws IOException {
    return NameNodeProxiesClient.createProxyWithClientProtocol(
            cluster.clientConfiguration(), cluster.uri(), null)
        .getProxy();
  }

  /** An answer, or class and message of a refusal without its stack trace. */
  private static String outcome(FeatureCall call, ClientProtocol nameNode) throws IOException {
    try {
      return String.valueOf(call.call().on(nameNode));
    } catch (RemoteException e) {
      return e.getClassName() + ": " + withoutTime(e.getMessage().lines().findFirst().orElse(""));
    }
  }

  private static String withoutTime(String message) {
    return message.replaceFirst("currentTime: .*", "currentTime");
  }
}
