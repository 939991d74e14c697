package io.acaciafs.systemtests;

import static java.net.HttpURLConnection.HTTP_FORBIDDEN;
import static java.net.HttpURLConnection.HTTP_OK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.acaciafs.kv.Transaction;
import io.acaciafs.namenode.store.OfflineStore;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code acacia check} on a NameNode that is stopped, and on one that runs. */
class CheckTest {
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(60);
  private static final int FILES = 20;

  @TempDir private java.nio.file.Path folder;
  private int logs;

  private record Result(int exitCode, String output) {}

  @Test
  void damageIsFoundOnAStoppedNameNodeAndMendedOnARunningOne() throws Exception {
    assumeTrue(NameNodeProgram.underTest() == NameNodeProgram.ACACIA, "Hadoop's has no store");
    try (Cluster cluster = Cluster.builder("check").dataNodes(1).start()) {
      DistributedFileSystem fs = cluster.fileSystem();
      for (int i = 0; i < FILES; i++) {
        new Content(i, 1000).write(fs, new Path("/dir-" + i % 3 + "/file-" + i));
      }
      long id = ((HdfsFileStatus) fs.getFileStatus(new Path("/dir-0/file-0"))).getFileId();
      String superuser = System.getProperty("user.name");
      assertThat(statusFor("user.name=somebody", cluster)).isEqualTo(HTTP_FORBIDDEN);
      assertThat(statusFor("user.name=" + superuser, cluster)).isEqualTo(HTTP_OK);
      assertThat(statusFor("repair=true&user.name=" + superuser, cluster))
          .as("what a page in a browser could send")
          .isEqualTo(HTTP_FORBIDDEN);

      cluster.stopNameNode();
      forgetWhereItIs(id, cluster.clientConfiguration());
      Result stopped = check(cluster);
      assertThat(stopped.output)
          .contains("DAMAGE no-location inode=" + id + " ")
          .contains("COUNT no-location 1")
          .endsWith("The store is DAMAGED\n");
      assertThat(stopped.exitCode).isEqualTo(1);

      cluster.startNameNode();
      Path byId = new Path("/.reserved/.inodes/" + id);
      assertThat(fs.exists(byId)).isFalse();
      Result running = check(cluster, "--repair");
      assertThat(running.output)
          .contains("REPAIRED no-location inode=" + id + " ")
          .endsWith("The store is HEALTHY\n");
      assertThat(running.exitCode).isZero();
      assertThat(fs.exists(byId)).isTrue();
    }
  }

  private static void forgetWhereItIs(long id, Configuration conf) throws Exception {
    try (OfflineStore offline = OfflineStore.open(conf)) {
      Transaction transaction = offline.store().begin();
      transaction.delete(NamespaceKeys.inode(id));
      transaction.commit().get(60, TimeUnit.SECONDS);
    }
  }

  private Result check(Cluster cluster, String... more) throws Exception {
    Configuration conf = cluster.clientConfiguration();
    List<String> arguments = new ArrayList<>(List.of("check"));
    arguments.addAll(List.of(more));
    for (String name :
        List.of("fs.defaultFS", "dfs.namenode.http-address", "dfs.namenode.name.dir")) {
      arguments.add("-D" + name + '=' + conf.get(name));
    }
    List<String> options =
        List.of(
            "-Dlog4j.configuration=" + System.getProperty("log4j.configuration"),
            "-Djava.io.tmpdir=" + Files.createDirectories(folder.resolve("tmp")));
    try (AcaciaCommand command =
        AcaciaCommand.start(
            folder.resolve("output-" + ++logs), options, arguments.toArray(String[]::new))) {
      return new Result(command.awaitExit(EXIT_LIMIT), command.output());
    }
  }

  private static int statusFor(String query, Cluster cluster) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + cluster.httpPort() + "/check?" + query);
    HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
    try {
      return connection.getResponseCode();
    } finally {
      connection.disconnect();
    }
  }
}
