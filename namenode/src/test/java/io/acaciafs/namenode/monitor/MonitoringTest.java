package io.acaciafs.namenode.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.namenode.NameNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.SafeModeAction;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.server.namenode.NameNodeMXBean;
import org.apache.hadoop.hdfs.server.namenode.NameNodeStatusMXBean;
import org.apache.hadoop.hdfs.server.namenode.metrics.FSNamesystemMBean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a NameNode shows of itself is what its clients did. */
class MonitoringTest {
  @TempDir private static Path folder;
  private static NameNode nameNode;
  private static DistributedFileSystem fs;
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("dfs.namenode.name.dir", folder.toString());
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:0");
    conf.set("dfs.namenode.rpc-address", "127.0.0.1:0");
    conf.set("dfs.namenode.http-address", "127.0.0.1:0");
    NameNode.format(conf, "CID-watched", false);
    nameNode = NameNode.start(conf);
    URI uri = URI.create("hdfs://127.0.0.1:" + nameNode.rpcAddress().getPort());
    fs = (DistributedFileSystem) DistributedFileSystem.newInstance(uri, conf);
    fs.mkdirs(new org.apache.hadoop.fs.Path("/a/b"));
    fs.create(new org.apache.hadoop.fs.Path("/a/b/file")).close();
    for (int i = 0; i < 3; i++) {
      fs.exists(new org.apache.hadoop.fs.Path("/a"));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    fs.close();
    nameNode.close();
  }

  private HttpResponse<String> get(String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + nameNode.httpAddress().getPort() + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
  }

  private JsonNode json(String path) throws Exception {
    return new ObjectMapper().readTree(get(path).body());
  }

  private JsonNode bean(String name) throws Exception {
    JsonNode beans = json("/jmx?qry=Hadoop:service=NameNode,name=" + name).get("beans");
    assertThat(beans).hasSize(1);
    return beans.get(0);
  }

  private static Set<String> attributesOf(Class<?> bean) {
    return Arrays.stream(bean.getMethods())
        .map(method -> method.getName().replaceFirst("^(get|is)", ""))
        .collect(Collectors.toSet());
  }

  private static Set<String> names(JsonNode bean) {
    Set<String> names = new TreeSet<>();
    for (Iterator<String> fields = bean.fieldNames(); fields.hasNext(); ) {
      names.add(fields.next());
    }
    names.remove("name");
    names.remove("modelerType");
    return names;
  }

  @Test
  void theNamesystemCountsWhatIsThere() throws Exception {
    for (String name : new String[] {"FSNamesystem", "FSNamesystemState"}) {
      JsonNode bean = bean(name);
      assertThat(bean.get("FilesTotal").asLong()).isEqualTo(4); // with the root
      assertThat(bean.get("BlocksTotal").asLong()).isZero();
      assertThat(bean.get("NumLiveDataNodes").asInt()).isZero();
    }
    assertThat(bean("FSNamesystemState").get("FSState").asText()).isEqualTo("Operational");
    assertThat(bean("FSNamesystem").get("NumFilesUnderConstruction").asLong()).isZero();
    assertThat(bean("FSNamesystemState").get("TopUserOpCounts").asText())
        .contains("\"opType\":\"create\"")
        .contains("\"topUsers\":[{\"user\":\"");
  }

  @Test
  void noAttributeHasANameThatHdfsDoesNotKnow() throws Exception {
    assertThat(attributesOf(NameNodeMXBean.class)).containsAll(names(bean("NameNodeInfo")));
    assertThat(attributesOf(NameNodeStatusMXBean.class)).containsAll(names(bean("NameNodeStatus")));
    assertThat(attributesOf(FSNamesystemMBean.class)).containsAll(names(bean("FSNamesystemState")));
  }

  /** With the kind of value that it has there; docs/monitoring.md lists what is not there. */
  @Test
  void hasWhatHdfsHasOrSaysThatItIsNotThere() throws Exception {
    Set<String> missing = new TreeSet<>();
    for (Map.Entry<String, Map<String, String>> expected : HdfsBeans.all().entrySet()) {
      JsonNode bean = bean(expected.getKey());
      expected
          .getValue()
          .forEach(
              (name, kind) -> {
                if (!kindOf(bean.get(name)).equals(kind)) {
                  missing.add(expected.getKey() + " " + name);
                }
              });
    }
    assertThat(missing).isEqualTo(listedAsMissing());
  }

  private static String kindOf(JsonNode value) {
    if (value == null) {
      return "none";
    }
    return switch (value.getNodeType()) {
      case NUMBER -> value.isIntegralNumber() ? "integer" : "real";
      case STRING -> "string";
      case BOOLEAN -> "boolean";
      default -> "object";
    };
  }

  /** The table below "Not there". */
  private static Set<String> listedAsMissing() throws Exception {
    String page = Files.readString(Path.of("../docs/monitoring.md"));
    Matcher rows =
        Pattern.compile("(?m)^\\| `(\\w+)` \\| ([^|]+) \\|[^|]*\\|$")
            .matcher(page.substring(page.indexOf("### Not there")));
    Set<String> listed = new TreeSet<>();
    while (rows.find()) {
      for (String name : rows.group(2).split(", ")) {
        listed.add(rows.group(1) + " " + name);
      }
    }
    return listed;
  }

  /** What Hadoop's Router reads every few seconds, and logs an error where one is missing. */
  @Test
  void hasWhatTheRouterReads() throws Exception {
    assertThat(names(bean("FSNamesystem")))
        .contains(
            "BlocksTotal",
            "CapacityRemaining",
            "CapacityTotal",
            "FilesTotal",
            "MissingBlocks",
            "PendingDeletionBlocks",
            "PendingReplicationBlocks",
            "ProvidedCapacityTotal",
            "ScheduledReplicationBlocks",
            "UnderReplicatedBlocks",
            "PendingSPSPaths");
    assertThat(names(bean("FSNamesystemState")))
        .contains(
            "NumDeadDataNodes",
            "NumDecomDeadDataNodes",
            "NumDecomLiveDataNodes",
            "NumDecommissioningDataNodes",
            "NumEnteringMaintenanceDataNodes",
            "NumInMaintenanceDeadDataNodes",
            "NumInMaintenanceLiveDataNodes",
            "NumLiveDataNodes",
            "NumStaleDataNodes");
    assertThat(names(bean("NameNodeInfo")))
        .contains(
            "CorruptFilesCount",
            "HighestPriorityLowRedundancyECBlocks",
            "HighestPriorityLowRedundancyReplicatedBlocks",
            "NumberOfMissingBlocksWithReplicationFactorOne");
  }

  @Test
  void theNameNodeSaysWhoItIs() throws Exception {
    JsonNode info = bean("NameNodeInfo");
    assertThat(info.get("ClusterId").asText()).isEqualTo("CID-watched");
    assertThat(info.get("LiveNodes").asText()).isEqualTo("{}");
    assertThat(info.get("DeadNodes").asText()).isEqualTo("{}");
    assertThat(info.get("NameDirStatuses").asText()).contains(folder.toString());
    JsonNode status = bean("NameNodeStatus");
    assertThat(status.get("State").asText()).isEqualTo("active");
    assertThat(status.get("HostAndPort").asText()).endsWith(":" + nameNode.rpcAddress().getPort());
  }

  @Test
  void callsAreCountedByOperation() throws Exception {
    JsonNode activity = bean("NameNodeActivity");
    assertThat(activity.get("CreateFileOps").asLong()).isEqualTo(1);
    assertThat(activity.get("FileInfoOps").asLong()).isGreaterThanOrEqualTo(3);
    assertThat(activity.get("TotalFileOps").asLong())
        .isGreaterThan(activity.get("FileInfoOps").asLong());
    assertThat(activity.get("SyncsNumOps").asLong()).isPositive();
    int port = nameNode.rpcAddress().getPort();
    fs.exists(new org.apache.hadoop.fs.Path("/a")); // times are those of the last seconds
    JsonNode detailed = bean("RpcDetailedActivityForPort" + port);
    assertThat(detailed.get("MkdirsNumOps").asLong()).isEqualTo(1);
    assertThat(detailed.get("GetFileInfoAvgTime").asDouble()).isPositive();
    JsonNode rpc = bean("RpcActivityForPort" + port);
    assertThat(rpc.get("RpcProcessingTimeNumOps").asLong()).isGreaterThanOrEqualTo(6);
    assertThat(rpc.get("NumOpenConnections").asLong()).isEqualTo(1);
  }

  @Test
  void theJvmAndTheStartAreThere() throws Exception {
    assertThat(bean("JvmMetrics").get("MemHeapUsedM").asDouble()).isPositive();
    assertThat(bean("JvmMetrics").get("ThreadsTimedWaiting").asInt()).isPositive();
    assertThat(bean("StartupProgress").get("PercentComplete").asDouble()).isEqualTo(1);
    assertThat(bean("StartupProgress").get("ElapsedTime").asLong()).isPositive();
    assertThat(json("/startupProgress").get("phases")).hasSize(4);
    assertThat(json("/startupProgress").get("percentComplete").asDouble()).isEqualTo(1);
  }

  @Test
  void prometheusFindsCallsStoreAndJvm() throws Exception {
    HttpResponse<String> response = get("/metrics");
    assertThat(response.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("text/plain");
    assertThat(response.body())
        .contains("# TYPE acacia_rpc_duration_seconds histogram")
        .contains(
            "acacia_rpc_duration_seconds_count{method=\"create\",protocol=\"ClientProtocol\"} 1")
        .containsPattern(
            "acacia_rpc_duration_seconds_bucket\\{method=\"create\",.*le=\"\\+Inf\"} 1")
        .contains("acacia_rpc_failures_total{method=\"create\",protocol=\"ClientProtocol\"} 0")
        .containsPattern("acacia_reply_cache_hits_total\\{method=\"getFileInfo\",.*} [1-9]")
        .contains("acacia_transaction_conflicts_total 0")
        .contains("acacia_store_writable 1")
        .containsPattern("acacia_store_syncs_total [1-9]")
        .contains("acacia_store_rows{table=\"inodes\"} 3")
        .contains("acacia_datanodes{state=\"live\"} 0")
        .contains("acacia_blocks_degraded{state=\"missing\"} 0")
        .contains("acacia_queue_tasks{queue=\"rpc-worker\"} 0")
        .containsPattern("acacia_user_cost_seconds_total\\{user=\".+\"} [0-9]")
        .containsPattern("acacia_user_isolated\\{user=\".+\"} 0")
        .contains("acacia_audit_dropped_total 0")
        .contains("jvm_memory_used_bytes{area=\"heap\"}");
  }

  private static Set<String> metricsIn(String text) {
    return Pattern.compile("\\bacacia_\\w+")
        .matcher(text)
        .results()
        .map(match -> match.group().replaceFirst("_(bucket|count|sum|total)$", ""))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void theDashboardAndTheAlertsAskForMetricsThatThereAre() throws Exception {
    Set<String> told = metricsIn(get("/metrics").body());
    told.add("acacia_store_round_trips"); // with HBase
    for (String file : List.of("grafana/acacia-namenode.json", "prometheus/acacia-rules.yml")) {
      Set<String> asked = metricsIn(Files.readString(Path.of("../conf", file)));
      asked.removeIf(name -> name.startsWith("acacia_ha_")); // StandbyWebTest looks for these
      assertThat(asked).isNotEmpty();
      assertThat(told).as(file).containsAll(asked);
    }
  }

  @Test
  void thePageForOperatorsNamesEverything() throws Exception {
    String page = Files.readString(Path.of("../docs/monitoring.md"));
    assertThat(metricsIn(page)).containsAll(metricsIn(get("/metrics").body()));
    for (JsonNode bean : json("/jmx?qry=Hadoop:service=NameNode,name=*").get("beans")) {
      String name = bean.get("name").asText().replaceFirst(".*name=", "");
      if (name.matches("RpcDetailed.*|JvmMetrics|HttpServer2.*|MetricsSystem.*|UgiMetrics")) {
        continue;
      }
      assertThat(page).contains(name.replaceFirst("Port\\d+$", "PortN"));
      for (String attribute : names(bean)) {
        if (!attribute.startsWith("tag.")) {
          assertThat(page).as(name).contains(attribute);
        }
      }
    }
  }

  @Test
  void healthFollowsSafeMode() throws Exception {
    assertThat(get("/health").statusCode()).isEqualTo(200);
    JsonNode well = json("/health");
    assertThat(well.get("status").asText()).isEqualTo("ok");
    assertThat(well.get("storeWritable").asBoolean()).isTrue();

    fs.setSafeMode(SafeModeAction.ENTER);
    try {
      assertThat(json("/health").get("status").asText()).isEqualTo("safemode");
      assertThat(json("/health").get("safeModeTip").asText()).contains("turned on manually");
      assertThat(get("/metrics").body()).contains("acacia_safe_mode 1");
    } finally {
      fs.setSafeMode(SafeModeAction.LEAVE);
    }
  }

  @Test
  void thePagesLearnOfTheStore() throws Exception {
    JsonNode status = json("/api/status");
    assertThat(status.get("engine").asText()).isEqualTo("rocksdb");
    assertThat(status.get("tables").toString()).contains("{\"name\":\"inodes\",\"rows\":3}");
  }
}
