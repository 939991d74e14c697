package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.hbase.client.Connections;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import io.acaciafs.kv.hbase.local.LocalHBase;
import io.acaciafs.kv.hbase.local.LocalHBaseOptions;
import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.client.AsyncConnection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode on HBase tells of region servers and the master that die and come back. */
@Tag("long")
class RegionServersTest {
  private static final int REGIONS = 6;
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir private Path folder;
  private final HttpClient http = HttpClient.newHttpClient();
  private Cluster cluster;

  @Test
  void problemsOfServersComeAndGo() throws Exception {
    Path classPath = Path.of(System.getProperty("acacia.hbase.classpath"));
    try (LocalHBase hbase = LocalHBase.start(LocalHBaseOptions.of(folder, classPath, 2));
        Cluster started =
            Cluster.builder("region-servers")
                .dataNodes(0)
                .set("acacia.store.engine", "hbase")
                .set("acacia.store.hbase.zookeeper", hbase.zooKeeper())
                .set("acacia.store.hbase.coprocessor", "classpath")
                .set("acacia.store.hbase.regions", REGIONS)
                .start()) {
      cluster = started;
      JsonNode well = await("/api/overview", now -> regionsOf(now) == REGIONS).get("cluster");
      assertThat(well.get("live").asInt()).isEqualTo(2);
      assertThat(well.get("online").asInt()).isEqualTo(REGIONS);
      assertThat(well.get("dead")).isEmpty();
      assertThat(well.get("backupMasters")).isEmpty();
      assertThat(well.get("servers").findValuesAsText("name"))
          .containsExactlyInAnyOrderElementsOf(
              hbase.serverPorts().stream().map(port -> "localhost:" + port).toList());
      JsonNode coprocessor = well.get("coprocessor");
      assertThat(coprocessor.get("versions").get(coprocessor.get("own").asText()).asInt())
          .isEqualTo(REGIONS);
      assertThat(kinds(get("/api/problems"))).doesNotContain("dead-region-servers", "no-master");

      String lost = "localhost:" + hbase.serverPorts().get(1);
      hbase.killServerAndTell(1);
      JsonNode problems = await("/api/problems", now -> kinds(now).contains("dead-region-servers"));
      assertThat(problems.toString()).contains(lost);
      JsonNode after =
          await("/api/cluster", now -> now.at("/servers/0/regions").asInt() == REGIONS);
      assertThat(after.get("dead").toString()).isEqualTo("[\"" + lost + "\"]");
      assertThat(after.get("servers")).hasSize(1);

      hbase.startServer();
      hbase.awaitServers(2);
      forgetDeadServers(hbase);
      await("/api/problems", now -> !kinds(now).contains("dead-region-servers"));
      assertThat(kinds(get("/api/problems"))).doesNotContain("regions-offline", "no-master");

      hbase.killMaster();
      await("/api/problems", now -> kinds(now).contains("no-master"));
      assertThat(get("/api/cluster").get("problem").asText()).contains("HBase at");
      started.fileSystem().mkdirs(new org.apache.hadoop.fs.Path("/goes/on"));
    }
  }

  /** Those that servers have told of, which they do every three seconds. */
  private static int regionsOf(JsonNode overview) {
    return overview.at("/cluster/servers").findValuesAsText("regions").stream()
        .mapToInt(Integer::parseInt)
        .sum();
  }

  /** What an administrator says in HBase's shell; the new server has another port. */
  private static void forgetDeadServers(LocalHBase hbase) throws Exception {
    try (AsyncConnection connection =
        ConnectionFactory.createAsyncConnection(
                Connections.configuration(HBaseOptions.of(hbase.zooKeeper())))
            .get(60, TimeUnit.SECONDS)) {
      var admin = connection.getAdmin();
      Await.until(
          "the end of the dead server's procedures",
          LIMIT,
          () -> {
            admin
                .clearDeadServers(admin.listDeadServers().get(60, TimeUnit.SECONDS))
                .get(60, TimeUnit.SECONDS);
            return admin.listDeadServers().get(60, TimeUnit.SECONDS).isEmpty();
          });
    }
  }

  private static List<String> kinds(JsonNode problems) {
    return problems.get("problems").findValuesAsText("kind");
  }

  private JsonNode await(String path, Predicate<JsonNode> condition) throws Exception {
    JsonNode[] last = {get(path)};
    try {
      Await.until(
          path,
          LIMIT,
          () -> {
            last[0] = get(path);
            return condition.test(last[0]);
          });
    } catch (AssertionError e) {
      throw new AssertionError(e.getMessage() + ": " + last[0], e);
    }
    return last[0];
  }

  private JsonNode get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + cluster.httpPort() + path);
    HttpRequest request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(60)).build();
    return new ObjectMapper().readTree(http.send(request, BodyHandlers.ofString()).body());
  }
}
