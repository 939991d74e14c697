package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.apache.hadoop.ipc.CallerContext;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/**
 * The audit log of a script of calls, line by line. What is expected is what Hadoop's NameNode
 * writes, as running this against it shows.
 */
class AuditLogTest {
  private static final String EXPECTED = "audit-lines.txt";
  private static final Duration LIMIT = Duration.ofSeconds(60);

  @Test
  void linesAreThoseOfHdfs() throws Exception {
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    try (Cluster cluster =
        Cluster.builder("audit")
            .jvmOptions("-Dhdfs.audit.logger=INFO,RFAAUDIT")
            .set("hadoop.caller.context.enabled", true)
            .set("hadoop.security.authorization", true)
            .set("dfs.namenode.audit.log.debug.cmdlist", "getAclStatus")
            .set("hadoop.proxyuser." + user + ".hosts", "*")
            .set("hadoop.proxyuser." + user + ".users", "*")
            .start()) {
      CallerContext.setCurrent(null); // Hadoop's shell leaves its own on the thread
      new AuditScript(cluster).run();
      Path log = cluster.folder().resolve("hdfs-audit.log");
      Await.until("the last line", LIMIT, () -> Files.readString(log).contains("src=/end\t"));
      List<String> lines = script(Files.readAllLines(log), user);
      Files.write(cluster.folder().resolve(EXPECTED), lines);
      assertThat(lines).containsExactlyElementsOf(expected());
    }
  }

  /** Without time, logger and the name of whoever runs this. */
  private static List<String> script(List<String> lines, String user) {
    List<String> messages =
        lines.stream()
            .map(line -> line.substring(line.indexOf("allowed=")))
            .map(line -> line.replace("ugi=" + user + " ", "ugi=SUPER "))
            .map(line -> line.replace("via " + user + " ", "via SUPER "))
            .map(line -> line.replace("perm=" + user + ":", "perm=SUPER:"))
            .toList();
    int begin = 0;
    while (!messages.get(begin).contains("src=/begin\t")) {
      begin++;
    }
    return messages.subList(begin, messages.size());
  }

  private static List<String> expected() throws IOException {
    try (InputStream in = AuditLogTest.class.getResourceAsStream(EXPECTED)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }
}
