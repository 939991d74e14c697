package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HostsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Once -refreshNodes has returned, every user sees the new state of a DataNode at once. */
class LeavingNodeTest {
  private static final org.apache.hadoop.fs.Path FILE = new org.apache.hadoop.fs.Path("/data/file");

  /** So often does each user ask, so that the NameNode has replies to give again. */
  private static final int TIMES = 5;

  @TempDir private static Path folder;

  @Test
  void noUserIsToldOfTheStateBefore() throws Exception {
    Path hosts = Files.createFile(folder.resolve("hosts.json"));
    try (Cluster cluster =
        Cluster.builder("leaving-node")
            .dataNodes(2)
            .set("dfs.replication", 2)
            .set("dfs.hosts", hosts)
            .set("dfs.namenode.hosts.provider.classname", CombinedHostFileManager.class.getName())
            .set("dfs.namenode.decommission.interval", 3600) // so that it stays on its way
            .set("dfs.heartbeat.interval", 3)
            .start()) {
      new Content(1, 1000).write(cluster.fileSystem(), FILE);
      DataNode leaving = cluster.dataNodes().get(0);
      List<DistributedFileSystem> users = new ArrayList<>();
      try {
        for (String user : List.of("alice", "bob", "carol")) {
          users.add(as(user, cluster));
        }
        assertSeen(users, leaving, AdminStates.NORMAL);
        new HostsFile(hosts, cluster).apply(leaving, "IN_MAINTENANCE");
        assertSeen(users, leaving, AdminStates.ENTERING_MAINTENANCE);
        new HostsFile(hosts, cluster).apply(leaving, "DECOMMISSIONED");
        assertSeen(users, leaving, AdminStates.DECOMMISSION_INPROGRESS);
        new HostsFile(hosts, cluster).apply(leaving, "NORMAL");
        assertSeen(users, leaving, AdminStates.NORMAL);
      } finally {
        for (DistributedFileSystem user : users) {
          user.close();
        }
      }
    }
  }

  private static DistributedFileSystem as(String user, Cluster cluster) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs((PrivilegedExceptionAction<DistributedFileSystem>) cluster::newFileSystem);
  }

  /** The first answers are those that count; the others are the NameNode's to keep. */
  private static void assertSeen(
      List<DistributedFileSystem> users, DataNode leaving, AdminStates state) throws IOException {
    String expected = leaving.getXferPort() + " " + state;
    for (int i = 0; i < TIMES; i++) {
      for (DistributedFileSystem user : users) {
        List<String> opened =
            states(user.getClient().getLocatedBlocks(FILE.toString(), 0).get(0).getLocations());
        assertThat(opened).hasSize(2).contains(expected);
        if (state == AdminStates.ENTERING_MAINTENANCE) {
          assertThat(opened).as("readers go there last").last().isEqualTo(expected);
        }
      }
    }
  }

  private static List<String> states(org.apache.hadoop.hdfs.protocol.DatanodeInfo[] locations) {
    return Arrays.stream(locations)
        .map(node -> node.getXferPort() + " " + node.getAdminState())
        .toList();
  }
}
