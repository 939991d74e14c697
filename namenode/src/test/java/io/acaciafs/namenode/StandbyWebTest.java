package io.acaciafs.namenode;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.kv.engine.ReplicaStart;
import io.acaciafs.kv.engine.ReplicaStart.Counted;
import io.acaciafs.kv.engine.ReplicaStart.Step;
import io.acaciafs.kv.engine.ReplicaStatus;
import io.acaciafs.kv.engine.ReplicaStatus.Applied;
import io.acaciafs.kv.engine.ReplicaStatus.Follower;
import io.acaciafs.kv.engine.ReplicaStatus.LeaderChange;
import io.acaciafs.kv.engine.ReplicaStatus.Leaders;
import io.acaciafs.namenode.ha.MemberAddresses;
import io.acaciafs.namenode.monitor.DiskSpace;
import io.acaciafs.namenode.monitor.StandbyStart;
import io.acaciafs.namenode.monitor.history.Neighbours;
import io.acaciafs.namenode.process.ResourceStack;
import io.acaciafs.rpc.metrics.RpcMetrics;
import io.acaciafs.web.WebServer;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a NameNode serves by HTTP while another one leads. */
class StandbyWebTest {
  private static final ReplicaStatus FOLLOWS =
      new ReplicaStatus(
          "nn2",
          false,
          "nn1",
          7,
          new Applied(40, 3),
          new Leaders(1_500, 2, new LeaderChange(1_795_000_000_500L, "nn3", "nn1", "")),
          List.of());
  private static final ReplicaStatus LEADS =
      new ReplicaStatus(
          "nn2",
          true,
          "nn2",
          8,
          new Applied(41, 0),
          new Leaders(0, 3, null),
          List.of(new Follower("nn1", 5, 250)));
  private final ResourceStack resources = new ResourceStack();
  private final HttpClient http = HttpClient.newHttpClient();
  private volatile ReplicaStatus status = FOLLOWS;
  private volatile ReplicaStart start =
      new ReplicaStart(Step.DONE, new Counted(60, 60), Counted.NOTHING, 200, 700);
  private WebServer web;

  @BeforeEach
  void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.nameservices", "acacia");
    conf.set("dfs.ha.namenodes.acacia", "nn1,nn2");
    conf.set("dfs.ha.namenode.id", "nn2");
    conf.set("dfs.namenode.rpc-address.acacia.nn1", "127.0.0.1:8020");
    conf.set("dfs.namenode.rpc-address.acacia.nn2", "127.0.0.2:8020");
    conf.set("dfs.namenode.http-address.acacia.nn1", "127.0.0.1:9999");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    web =
        new StandbyWeb(
                "raft",
                new StandbyStart(() -> start, 1_234, 50),
                () -> status,
                new MemberAddresses(conf, () -> conf, () -> 0),
                Lifetime.begin(),
                new Console.Self("nn2", Neighbours.none()),
                DiskSpace.of(conf, List.of()))
            .start(
                conf, new InetSocketAddress("127.0.0.2", 8020), new RpcMetrics(() -> 0), resources);
  }

  @AfterEach
  void stop() throws Exception {
    resources.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + web.address().getPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  @Test
  void itsHealthIsWhetherALeaderIsKnown() throws Exception {
    assertThat(get("/health").statusCode()).isEqualTo(200);
    assertThat(get("/health").body()).contains("\"status\":\"standby\"", "\"leader\":\"nn1\"");
    status =
        new ReplicaStatus(
            "nn2", false, "", 7, new Applied(40, 3), new Leaders(9_000, 2, null), List.of());
    assertThat(get("/health").statusCode()).isEqualTo(503);
    assertThat(get("/health").body()).contains("has heard no leader for 9000 ms");
  }

  @Test
  void itsMetricsAreThoseOfItsPart() throws Exception {
    assertThat(get("/metrics").body())
        .contains(
            "acacia_ha_leads 0",
            "acacia_ha_leader_known 1",
            "acacia_ha_leader_silent_seconds 1.5",
            "acacia_ha_term 7",
            "acacia_ha_applied_batch 40",
            "acacia_ha_entries_unapplied 3",
            "acacia_ha_leader_changes_total 2",
            "acacia_ha_last_failover_timestamp_seconds 1.7950000005E9",
            "acacia_rpc_connections 0",
            "jvm_threads_current")
        .doesNotContain("acacia_ha_follower");
    status = LEADS;
    assertThat(get("/metrics").body())
        .contains(
            "acacia_ha_leads 1",
            "acacia_ha_follower_entries_behind{follower=\"nn1\"} 5",
            "acacia_ha_follower_silent_seconds{follower=\"nn1\"} 0.25")
        .doesNotContain("last_failover");
  }

  @Test
  void thePageForOperatorsTheAlertsAndTheDashboardNameMetricsThatThereAre() throws Exception {
    Set<String> told = metricsIn(get("/metrics").body());
    status = LEADS;
    told.addAll(metricsIn(get("/metrics").body()));
    assertThat(metricsIn(Files.readString(Path.of("../docs/monitoring.md")))).isEqualTo(told);
    assertThat(told)
        .containsAll(metricsIn(Files.readString(Path.of("../conf/prometheus/acacia-rules.yml"))));
    Set<String> drawn =
        metricsIn(Files.readString(Path.of("../conf/grafana/acacia-namenode.json")));
    assertThat(told).containsAll(drawn);
    assertThat(drawn)
        .contains(
            "acacia_ha_leads",
            "acacia_ha_term",
            "acacia_ha_leader_changes_total",
            "acacia_ha_follower_entries_behind",
            "acacia_ha_follower_silent_seconds",
            "acacia_ha_entries_unapplied");
  }

  /** The dashboard asks for the NameNodes by a metric that those that stand by have too. */
  @Test
  void theDashboardFindsNameNodesThatStandBy() throws Exception {
    JsonNode dashboard =
        new ObjectMapper().readTree(Path.of("../conf/grafana/acacia-namenode.json").toFile());
    String query = dashboard.get("templating").get("list").get(1).get("query").asText();
    Matcher asked = Pattern.compile("label_values\\((\\w+), instance\\)").matcher(query);
    assertThat(asked.matches()).as(query).isTrue();
    assertThat(get("/metrics").body()).contains("\n" + asked.group(1) + " ");
  }

  private static Set<String> metricsIn(String text) {
    return Pattern.compile("acacia_ha_[a-z_]*[a-z]")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void itsPageLearnsWhereTheLeaderIs() throws Exception {
    JsonNode answer = new ObjectMapper().readTree(get("/api/status").body());
    assertThat(answer.get("role").asText()).isEqualTo("standby");
    assertThat(answer.get("address").asText()).isEqualTo("127.0.0.2:8020");
    assertThat(answer.get("leaderPage").asText()).isEqualTo("http://127.0.0.1:9999/");
    assertThat(answer.get("entriesBehind").asLong()).isEqualTo(3);
    assertThat(answer.get("lastFailover").get("to").asText()).isEqualTo("nn1");
    assertThat(answer.get("startup").get("startedMs").asLong()).isEqualTo(1_234);
    assertThat(get("/index.html").body()).contains("<h1>NameNode");
    assertThat(get("/members.js").statusCode()).isEqualTo(200);
  }

  private JsonNode startupProgress() throws Exception {
    return new ObjectMapper().readTree(get("/startupProgress").body());
  }

  @Test
  void itsStartIsToldAsHdfsTellsIt() throws Exception {
    start = new ReplicaStart(Step.READS_LOG, new Counted(15, 60), Counted.NOTHING, 200, 200);
    JsonNode reads = startupProgress();
    assertThat(reads.findValuesAsText("status"))
        .containsExactly("COMPLETE", "RUNNING", "COMPLETE", "PENDING");
    assertThat(reads.get("phases").get(1).toString())
        .isEqualTo(
            "{\"name\":\"LoadingEdits\",\"desc\":\"Loading edits\",\"status\":\"RUNNING\","
                + "\"percentComplete\":0.25,\"elapsedTime\":200,\"steps\":[{"
                + "\"name\":\"ReadingLog\",\"desc\":\"Reading the log, entries\",\"count\":15,"
                + "\"total\":60,\"percentComplete\":0.25,\"elapsedTime\":200}]}");
    assertThat(reads.get("percentComplete").asDouble()).isEqualTo(2.25 / 4);
    start = new ReplicaStart(Step.COPIES_STORE, Counted.NOTHING, new Counted(1, 4), 200, 300);
    JsonNode copies = startupProgress();
    assertThat(copies.findValuesAsText("status"))
        .containsExactly("RUNNING", "PENDING", "COMPLETE", "PENDING");
    JsonNode step = copies.get("phases").get(0).get("steps").get(0);
    assertThat(step.get("desc").asText()).isEqualTo("Copying the store from the leader, bytes");
    assertThat(step.get("count").asLong()).isEqualTo(1);
    assertThat(step.get("total").asLong()).isEqualTo(4);
    assertThat(new ObjectMapper().readTree(get("/api/status").body()).get("startup").toString())
        .contains("\"step\":\"COPIES_STORE\"", "\"copiedBytes\":1,\"copyBytes\":4");
    start = new ReplicaStart(Step.AWAITS_LEADER, new Counted(60, 60), Counted.NOTHING, 200, 300);
    JsonNode waits = startupProgress().get("phases").get(3);
    assertThat(waits.get("status").asText()).isEqualTo("RUNNING");
    assertThat(waits.get("elapsedTime").asLong()).isEqualTo(100);
    assertThat(waits.toString()).contains("\"desc\":\"Waiting for a leader\"");
    start = new ReplicaStart(Step.DONE, new Counted(60, 60), Counted.NOTHING, 200, 700);
    assertThat(startupProgress().get("percentComplete").asDouble()).isEqualTo(1);
    assertThat(startupProgress().get("elapsedTime").asLong()).isEqualTo(750);
  }

  @Test
  void webHdfsSendsClientsToAnotherNameNode() throws Exception {
    HttpResponse<String> answer = get("/webhdfs/v1/?op=GETFILESTATUS");
    assertThat(answer.statusCode()).isEqualTo(403);
    JsonNode refusal = new ObjectMapper().readTree(answer.body()).get("RemoteException");
    assertThat(refusal.get("exception").asText()).isEqualTo("StandbyException");
    assertThat(refusal.get("message").asText())
        .startsWith("Operation category READ is not supported in state standby.");
  }

  @Test
  void whatHadoopsServerBringsIsThereToo() throws Exception {
    assertThat(get("/isActive").statusCode()).isEqualTo(405);
    assertThat(get("/conf").body()).contains("dfs.ha.namenodes.acacia");
    assertThat(get("/stacks").body()).contains("web-");
    assertThat(get("/logLevel").statusCode()).isEqualTo(200);
    assertThat(get("/jmx?qry=Hadoop:service=NameNode,name=NameNodeStatus*").body())
        .contains("\"State\" : \"standby\"");
    assertThat(get("/jmx?qry=Hadoop:service=NameNode,name=JvmMetrics*").body())
        .contains("MemHeapUsedM");
  }
}
