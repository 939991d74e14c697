package io.acaciafs.systemtests.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's HttpFS serves Acacia's files, and each user's calls arrive as that user's. */
@Tag("long")
class HttpFsTest {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final String ALICE = "alice";

  @Test
  void servesWhatLiesBehindAsTheUserThatAsks() throws Exception {
    String gateway = UserGroupInformation.getCurrentUser().getShortUserName();
    int port = FreePorts.next();
    try (Cluster cluster =
            Cluster.builder("httpfs")
                .set("hadoop.proxyuser." + gateway + ".hosts", "*")
                .set("hadoop.proxyuser." + gateway + ".users", ALICE)
                .start();
        HadoopServer httpFs = start(cluster, port)) {
      FileSystem behind = cluster.fileSystem();
      behind.setPermission(root(), new FsPermission((short) 0777));
      try (FileSystem front = as(ALICE, port, cluster.clientConfiguration())) {
        Await.until("an answer of HttpFS", LIMIT, () -> httpFs.lives() && answers(front));
        Gateways.assertSameFiles(front, behind);
        assertThat(behind.getFileStatus(new org.apache.hadoop.fs.Path("/front")).getOwner())
            .isEqualTo(ALICE);
      }
      assertThat(httpFs.log().lines().filter(line -> line.matches(".* (ERROR|FATAL) .*")))
          .isEmpty();
    }
  }

  private static HadoopServer start(Cluster cluster, int port) throws IOException {
    Path folder = Files.createDirectories(cluster.folder().resolve("httpfs"));
    Path conf = Files.createDirectories(cluster.folder().resolve("httpfs-conf"));
    Files.writeString(conf.resolve("httpfs-signature.secret"), "of this test");
    Configuration site = new Configuration(false);
    site.set("fs.defaultFS", cluster.uri().toString());
    site.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    site.set("httpfs.http.hostname", "127.0.0.1");
    site.setInt("httpfs.http.port", port);
    return HadoopServer.start(
        "httpfs",
        cluster.folder(),
        Gateways.CLASS_PATH,
        List.of("org.apache.hadoop.fs.http.server.HttpFSServerWebServer"),
        site,
        List.of("core-site.xml", "hdfs-site.xml", "httpfs-site.xml"),
        List.of(
            "-Dhttpfs.home.dir=" + folder,
            "-Dhttpfs.config.dir=" + conf,
            "-Dhttpfs.log.dir=" + folder,
            "-Dhttpfs.temp.dir=" + folder));
  }

  private static FileSystem as(String user, int port, Configuration conf) throws Exception {
    return UserGroupInformation.createRemoteUser(user)
        .doAs(
            (PrivilegedExceptionAction<FileSystem>)
                () -> FileSystem.newInstance(URI.create("webhdfs://127.0.0.1:" + port), conf));
  }

  private static org.apache.hadoop.fs.Path root() {
    return new org.apache.hadoop.fs.Path("/");
  }

  /** False until HttpFS listens. */
  private static boolean answers(FileSystem front) {
    try {
      return front.getFileStatus(root()).isDirectory();
    } catch (IOException e) {
      return false;
    }
  }
}
