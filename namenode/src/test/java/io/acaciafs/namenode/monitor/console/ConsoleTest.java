package io.acaciafs.namenode.monitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.namenode.NameNode;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the pages for operators ask a NameNode that runs. */
@Timeout(120)
class ConsoleTest {
  private static final String SECRET = "not to be seen";

  @TempDir private static java.nio.file.Path folder;
  private static NameNode nameNode;
  private static DistributedFileSystem fs;
  private static FSDataOutputStream open;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    conf.set("ssl.server.keystore.password", SECRET);
    conf.set("dfs.namenode.handler.count", "77"); // which has no effect
    conf.set("acacia.audit.queue", "4321");
    NameNode.format(conf, "CID-console", false);
    nameNode = NameNode.start(conf);
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    fs = (DistributedFileSystem) DistributedFileSystem.newInstance(uri, conf);
    for (String name : List.of("empty", "full", "half")) {
      fs.mkdirs(new Path("/quotas/" + name));
      fs.setQuota(new Path("/quotas/" + name), 4, 1L << 30);
    }
    for (int i = 0; i < 3; i++) {
      fs.mkdirs(new Path("/quotas/full/" + i));
    }
    fs.mkdirs(new Path("/quotas/half/1"));
    open = fs.create(new Path("/being written & <read>"));
  }

  @AfterAll
  static void stop() throws Exception {
    open.close();
    fs.close();
    nameNode.close();
  }

  private JsonNode get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + nameNode.httpAddress().getPort() + path);
    HttpResponse<String> answer =
        http.send(
            HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    assertThat(answer.body().length()).isLessThan(1 << 20);
    return new ObjectMapper().readTree(answer.body());
  }

  private JsonNode awaitThat(String path, Predicate<JsonNode> condition) throws Exception {
    long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    JsonNode answer = get(path);
    while (!condition.test(answer)) {
      assertThat(System.nanoTime()).as("%s", answer).isLessThan(deadlineNs);
      answer = get(path);
    }
    return answer;
  }

  private static boolean hasProblem(JsonNode answer, String kind) {
    return answer.get("problems").findValuesAsText("kind").contains(kind);
  }

  @Test
  void theHistoryOfThisNameNodeIsThere() throws Exception {
    JsonNode answer =
        awaitThat(
            "/api/history",
            now -> now.at("/nameNodes/0/history/series/create").isArray()); // after ten seconds
    JsonNode own = answer.at("/nameNodes/0");
    assertThat(own.get("isThis").asBoolean()).isTrue();
    assertThat(own.at("/history/series/heapMib").size()).isEqualTo(360);
    assertThat(own.at("/history/series/diskFreeMib").size()).isEqualTo(360);
    awaitThat(
        "/api/overview",
        now -> now.at("/lastHour/history/series/heapMib").size() == 360); // some seconds later
    assertThat(get("/api/history?window=day").at("/nameNodes/0/history/stepMs").asLong())
        .isEqualTo(300_000);
  }

  @Test
  void problemsComeAndGo() throws Exception {
    JsonNode first = awaitThat("/api/problems", now -> hasProblem(now, "no-datanodes"));
    assertThat(hasProblem(first, "settings-not-honoured")).isTrue();
    assertThat(first.at("/problems/0/help").asText())
        .isEqualTo("docs/troubleshooting.md#no-datanodes");
    fs.setSafeMode(SafeModeAction.ENTER);
    JsonNode safe = awaitThat("/api/problems", now -> hasProblem(now, "safe-mode"));
    assertThat(safe.get("nowMs").asLong())
        .isGreaterThanOrEqualTo(safe.at("/problems/0/sinceMs").asLong());
    fs.setSafeMode(SafeModeAction.LEAVE);
    awaitThat("/api/problems", now -> !hasProblem(now, "safe-mode"));
  }

  @Test
  void theOverviewSaysWhatHealthAndProblemsSay() throws Exception {
    JsonNode overview =
        awaitThat(
            "/api/overview",
            now -> now.has("problems") && hasProblem(now.get("problems"), "no-datanodes"));
    assertThat(overview.at("/health/storeReadable").asBoolean()).isTrue();
    assertThat(overview.at("/health/liveDataNodes").asInt(-1)).isZero();
    assertThat(overview.at("/capacity/total").asLong(-1)).isZero();
  }

  @Test
  void usersAreShownWithTheirCallsByOperation() throws Exception {
    String self = System.getProperty("user.name");
    JsonNode answer =
        awaitThat("/api/users?minutes=5&filter=" + self, now -> now.get("found").asInt() > 0);
    JsonNode user = answer.at("/shown/0");
    assertThat(user.get("name").asText()).isEqualTo(self);
    assertThat(user.at("/byOperation/mkdirs").asInt()).isGreaterThanOrEqualTo(7);
    assertThat(user.get("isolated").asBoolean(true)).isFalse();
    assertThat(user.get("costMs").asLong(-1)).isNotNegative();
    assertThat(answer.get("windows").toString()).isEqualTo("[1,5,25]");
    assertThat(get("/api/users?filter=nobody-of-this-name").get("shown")).isEmpty();
    String behind = "/api/users?minutes=5&filter=" + self + "&from=" + answer.get("found").asInt();
    assertThat(get(behind).get("shown")).isEmpty();
  }

  @Test
  void jobsAreShownWithWhatIsLeft() throws Exception {
    JsonNode answer = get("/api/work");
    assertThat(answer.get("jobs").findValuesAsText("name"))
        .startsWith("Deleted directories to be swept")
        .contains("Blocks to be repaired");
    assertThat(answer.at("/jobs/0/left").asLong(-1)).isZero();
  }

  @Test
  void openFilesAreShownWithTheirWriters() throws Exception {
    JsonNode answer = get("/api/openfiles");
    assertThat(answer.get("shown")).hasSize(1);
    JsonNode file = answer.at("/shown/0");
    assertThat(file.get("path").asText()).isEqualTo("/being written & <read>");
    assertThat(file.get("holder").asText()).startsWith("DFSClient_");
    assertThat(file.get("client").asText()).isEqualTo("127.0.0.1");
    assertThat(file.get("renewedAgoMs").asLong()).isBetween(0L, 120_000L);
    assertThat(answer.get("next").asLong()).isZero();
    String part = URLEncoder.encode("written & <", StandardCharsets.UTF_8);
    assertThat(get("/api/openfiles?filter=" + part).get("shown")).hasSize(1);
    assertThat(get("/api/openfiles?filter=other").get("shown")).isEmpty();
  }

  @Test
  void directoriesWithQuotasAreShownTheFullestFirst() throws Exception {
    JsonNode answer = awaitThat("/api/quotas", now -> now.get("all").asInt() == 3);
    assertThat(answer.get("shown").findValuesAsText("path"))
        .containsExactly("/quotas/full", "/quotas/half", "/quotas/empty");
    assertThat(answer.at("/shown/0/names").asLong()).isEqualTo(4);
    assertThat(answer.at("/shown/0/fullness").asDouble()).isEqualTo(1);
    assertThat(answer.at("/shown/0/bytesLimit").asLong()).isEqualTo(1L << 30);
    assertThat(get("/api/quotas?from=1&limit=1").get("shown").findValuesAsText("path"))
        .containsExactly("/quotas/half");
    assertThat(get("/api/quotas?filter=half").get("found").asInt()).isEqualTo(1);
  }

  private JsonNode setting(String name) throws Exception {
    for (JsonNode row : get("/api/configuration?all=true&filter=" + name).get("shown")) {
      if (row.get("name").asText().equals(name)) {
        return row;
      }
    }
    throw new AssertionError(name);
  }

  @Test
  void settingsAreShownWithSourceDefaultAndText() throws Exception {
    JsonNode own = setting("acacia.audit.queue");
    assertThat(own.get("value").asText()).isEqualTo("4321");
    assertThat(own.get("source").asText()).isEqualTo("code");
    assertThat(own.get("default").asText()).isEqualTo("65536");
    assertThat(own.get("text").asText()).contains("audit events");
    JsonNode usual = setting("dfs.blocksize");
    assertThat(usual.get("source").asText()).isEqualTo("default");
    assertThat(usual.get("text").asText()).contains("default block size");
    assertThat(setting("fs.protected.directories").get("changeable").asBoolean()).isTrue();
    assertThat(setting("dfs.namenode.handler.count").get("treatment").asText()).isEqualTo("warned");
    assertThat(get("/api/configuration?all=true&limit=1000").toString()).doesNotContain(SECRET);
    assertThat(setting("ssl.server.keystore.password").get("value").asText())
        .isEqualTo("<redacted>");
    assertThat(get("/api/configuration").get("found").asInt())
        .isLessThan(get("/api/configuration?all=true").get("found").asInt());
  }
}
