package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names that clients and DataNodes choose, with markup, quotes and control characters, in what is
 * served by HTTP: each stays one value of JSON or one label of a metric, and nothing is HTML.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HostileNamesTest {
  private static final String MARKUP = "\"'><script>alert(1)</script>&amp;\\";

  /** The name of a user ends at a slash. */
  private static final String USER = MARKUP.replace("/", "");

  private static final String CONTROLS = "\n\r\t\u0000\u001b[31m\u2028acacia_up 0\n";
  private static final Pattern METRIC_LINE =
      Pattern.compile(
          "(# .*)|([a-zA-Z_:][a-zA-Z0-9_:]*(\\{([a-z_]+=\"([^\"\\\\\n]|\\\\.)*\",?)*})? \\S+)");

  private RunningNameNode nameNode;

  @BeforeAll
  void start(@TempDir File folder) throws Exception {
    nameNode = new RunningNameNode(folder, Map.of());
    nameNode.fileSystem().mkdirs(new Path("/x"));
    try (DistributedFileSystem client = nameNode.fileSystem(USER)) {
      for (int i = 0; i < 10; i++) {
        client.getFileStatus(new Path("/x"));
      }
    }
    nameNode.fileSystem().getClient().mkdirs("/x/a" + USER + "\n\u001b", null, false);
    nameNode.fileSystem().setOwner(new Path("/x"), MARKUP + CONTROLS, CONTROLS + MARKUP);
    register();
  }

  @AfterAll
  void stop() throws Exception {
    nameNode.close();
  }

  private void register() throws Exception {
    new RoomyDatanode(
            nameNode.rpcAddresses().get(0),
            new Configuration(),
            new DatanodeID("127.0.0.1", MARKUP + CONTROLS, "uuid" + MARKUP + CONTROLS, 1, 2, 3, 4),
            "DS-" + MARKUP + CONTROLS)
        .close();
  }

  private static void isNoHtml(HttpResponse<String> answer) {
    assertThat(answer.headers().firstValue("Content-Type").orElse("")).doesNotContain("html");
    assertThat(answer.headers().firstValue("X-Content-Type-Options")).contains("nosniff");
  }

  private JsonNode json(String path) throws Exception {
    HttpResponse<String> answer = nameNode.send("GET", path);
    isNoHtml(answer);
    assertThat(answer.statusCode()).isEqualTo(200);
    return new ObjectMapper().readTree(answer.body());
  }

  @Test
  void beans() throws Exception {
    assertThat(json("/jmx").get("beans").size()).isGreaterThan(10);
    JsonNode info = json("/jmx?qry=Hadoop:service=NameNode,name=NameNodeInfo").get("beans").get(0);
    JsonNode live = new ObjectMapper().readTree(info.get("LiveNodes").asText());
    assertThat(live.fieldNames().next()).startsWith(MARKUP);
    JsonNode top =
        json("/jmx?qry=Hadoop:service=NameNode,name=FSNamesystemState").get("beans").get(0);
    assertThat(top.get("TopUserOpCounts").asText()).contains("script");
    new ObjectMapper().readTree(top.get("TopUserOpCounts").asText());
  }

  @Test
  void metrics() throws Exception {
    HttpResponse<String> answer = nameNode.send("GET", "/metrics");
    isNoHtml(answer);
    assertThat(answer.body()).contains("alert(1)");
    assertThat(answer.body().lines()).allMatch(line -> METRIC_LINE.matcher(line).matches());
    assertThat(answer.body().split("\n")).doesNotContain("acacia_up 0");
  }

  @Test
  void users() throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    JsonNode users = json("/api/users"); // made once in some seconds
    while (!users.get("shown").findValuesAsText("name").contains(USER)) {
      assertThat(System.nanoTime()).as("%s", users).isLessThan(deadlineNs);
      users = json("/api/users");
    }
  }

  @Test
  void listings() throws Exception {
    JsonNode listing = json("/webhdfs/v1/x?op=LISTSTATUS");
    assertThat(listing.findValue("pathSuffix").asText()).contains("<script>").endsWith("\n\u001b");
    JsonNode status = json("/webhdfs/v1/x?op=GETFILESTATUS");
    assertThat(status.findValue("owner").asText()).isEqualTo(MARKUP + CONTROLS);
  }

  @Test
  void checks() throws Exception {
    isNoHtml(nameNode.send("GET", "/fsck?path=/x&files=1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/%3Cscript%3Ealert(1)%3C/script%3E",
        "/webhdfs/v1/%3Cscript%3Ealert(1)%3C/script%3E?op=GETFILESTATUS",
        "/webhdfs/v1/x?op=%3Cscript%3Ealert(1)%3C/script%3E",
        "/webhdfs/v1/x?op=GETFILESTATUS&user.name=%3Cscript%3Ealert(1)%3C/script%3E",
        "/jmx?qry=%3Cscript%3Ealert(1)%3C/script%3E",
        "/fsck?path=%3Cscript%3Ealert(1)%3C/script%3E",
        "/logLevel?log=%3Cscript%3Ealert(1)%3C/script%3E",
        "/conf?name=%3Cscript%3Ealert(1)%3C/script%3E"
      })
  void whatIsAskedForIsNotRepeatedAsHtml(String path) throws Exception {
    HttpResponse<String> answer = nameNode.send("GET", path);
    String type = answer.headers().firstValue("Content-Type").orElse("");
    assertThat(List.of(type.contains("html"), answer.body().contains("<script>alert")))
        .isNotEqualTo(List.of(true, true));
  }
}
