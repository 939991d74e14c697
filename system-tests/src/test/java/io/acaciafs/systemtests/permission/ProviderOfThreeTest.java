package io.acaciafs.systemtests.permission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.acaciafs.systemtests.harness.HaCluster;
import io.acaciafs.systemtests.harness.HaOptions;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.ha.ObserverReadProxyProvider;
import org.apache.hadoop.io.retry.FailoverProxyProvider;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** Each of three NameNodes by Raft asks a class of its own: the one that leads, and observers. */
class ProviderOfThreeTest {
  private static final String RECORDED = "recorded.txt";

  private static List<String> recorded(HaCluster cluster, int nameNode) throws IOException {
    return Files.readAllLines(cluster.nameFolder(nameNode).resolveSibling(RECORDED));
  }

  private static boolean wasAsked(HaCluster cluster, int nameNode, String question)
      throws IOException {
    return recorded(cluster, nameNode).stream()
        .anyMatch(line -> line.startsWith("check " + question + " | user alice "));
  }

  @Test
  void observersAndLeadersAsk() throws Exception {
    HaOptions options =
        new HaOptions(
            0,
            Map.of(
                "dfs.namenode.inode.attributes.provider.class",
                RecordingProvider.class.getName(),
                RecordingProvider.FILE_KEY,
                RECORDED),
            false,
            NameNodeProgram.ACACIA,
            List.of(RecordingProvider.place()));
    try (HaCluster cluster = HaCluster.start("provider-trio", options);
        DistributedFileSystem root = cluster.newFileSystem();
        DistributedFileSystem alice = reader(cluster)) {
      Path data = new Path("/data");
      root.mkdirs(data);
      root.setPermission(data, new FsPermission((short) 0700));
      int leader = cluster.awaitLeader();
      assertThat(alice.mkdirs(new Path("/"))).as("it has seen a state").isTrue();
      assertThat(alice.getFileStatus(data).getPermission().toShort()).isEqualTo((short) 0700);
      assertThatThrownBy(() -> alice.listStatus(data))
          .isInstanceOf(AccessControlException.class)
          .hasMessageStartingWith("Permission denied: user=alice, access=READ_EXECUTE");
      assertThat(wasAsked(cluster, leader, "listStatus")).isFalse();
      assertThat(
              wasAsked(cluster, (leader + 1) % 3, "listStatus")
                  || wasAsked(cluster, (leader + 2) % 3, "listStatus"))
          .isTrue();

      cluster.nameNode(leader).kill();
      int next = cluster.awaitOtherLeader(leader);
      assertThatThrownBy(() -> alice.mkdirs(new Path("/data/new")))
          .isInstanceOf(AccessControlException.class);
      assertThat(wasAsked(cluster, next, "mkdirs")).isTrue();
      cluster.nameNode(next).terminate();
      assertThat(recorded(cluster, next)).startsWith("start").endsWith("stop");
    }
  }

  private static DistributedFileSystem reader(HaCluster cluster) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    conf.setClass(
        "dfs.client.failover.proxy.provider." + conf.get("dfs.nameservices"),
        ObserverReadProxyProvider.class,
        FailoverProxyProvider.class);
    return UserGroupInformation.createRemoteUser("alice")
        .doAs(
            (PrivilegedExceptionAction<DistributedFileSystem>)
                () -> (DistributedFileSystem) FileSystem.newInstance(conf));
  }
}
