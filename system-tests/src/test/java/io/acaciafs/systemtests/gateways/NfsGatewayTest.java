package io.acaciafs.systemtests.gateways;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.kv.hbase.local.FreePorts;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.HadoopServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Hadoop's NFS gateway mounts Acacia, and an NFS client reads a file of it. */
@Tag("long")
class NfsGatewayTest {
  private static final Duration LIMIT = Duration.ofSeconds(120);
  private static final Path PROGRAM =
      Path.of(System.getProperty("acacia.home"), "system-tests/src/test/clients/nfs/Mount.java");

  @Test
  void mountsAndReads() throws Exception {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    try (Cluster cluster =
        Cluster.builder("nfs")
            .set("hadoop.proxyuser." + user + ".hosts", "*")
            .set("hadoop.proxyuser." + user + ".groups", "*")
            .set("hadoop.proxyuser." + user + ".users", "*")
            .start()) {
      try (FSDataOutputStream out =
          cluster.fileSystem().create(new org.apache.hadoop.fs.Path("/a-file"))) {
        out.write("over NFS".getBytes(StandardCharsets.UTF_8));
      }
      Configuration site = new Configuration(false);
      site.set("fs.defaultFS", cluster.uri().toString());
      site.set("hadoop.tmp.dir", cluster.folder().resolve("nfs-tmp").toString());
      site.set("nfs.dump.dir", cluster.folder().resolve("nfs-tmp/dump").toString());
      site.set("nfs.http.address", "127.0.0.1:0");
      try (HadoopServer gateway =
          HadoopServer.start(
              "nfs",
              cluster.folder(),
              Gateways.CLASS_PATH,
              List.of(
                  PROGRAM.toString(),
                  Integer.toString(FreePorts.next()),
                  Integer.toString(FreePorts.next()),
                  "a-file"),
              site,
              List.of("core-site.xml", "hdfs-site.xml"),
              List.of())) {
        gateway.awaitExit(LIMIT);
        assertThat(gateway.log()).contains("exports /").contains("reads over NFS");
      }
    }
  }
}
