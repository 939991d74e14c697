package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.systemtests.harness.Await;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.Content;
import io.acaciafs.systemtests.harness.HostsFile;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.blockmanagement.CombinedHostFileManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.tools.DFSAdmin;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer.OrderAnnotation;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What {@code hdfs dfsadmin} prints. The texts are those of HDFS: the same test passes with
 * Hadoop's NameNode. Numbers that differ from run to run are left out of them.
 */
@Tag("long")
@TestMethodOrder(OrderAnnotation.class)
class DfsAdminTest {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Path OPEN = new Path("/data/open");
  private static final String IN_SERVICE = "   NODE( \\(\\S+\\))? In Service";
  private static Cluster cluster;
  private static java.nio.file.Path hosts;

  private record Printed(int code, String text) {
    List<String> lines() {
      return text.lines().toList();
    }
  }

  @BeforeAll
  static void start() throws Exception {
    hosts = Files.createTempFile("hosts", ".json");
    Cluster.Builder builder = Cluster.builder("dfsadmin").dataNodes(3);
    settings().forEach(builder::set);
    cluster = builder.start();
    new Content(1, 100_000).write(cluster.fileSystem(), new Path("/data/file"));
  }

  private static Map<String, String> settings() {
    Map<String, String> settings = new HashMap<>();
    settings.put("dfs.replication", "2");
    settings.put("dfs.hosts", hosts.toString());
    settings.put("dfs.namenode.hosts.provider.classname", CombinedHostFileManager.class.getName());
    settings.put("dfs.namenode.redundancy.interval.seconds", "1");
    // So that one can see what is under way.
    settings.put("dfs.namenode.decommission.interval", "10");
    return settings;
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
    Files.deleteIfExists(hosts);
  }

  private static Printed run(String... arguments) throws Exception {
    PrintStream out = System.out;
    PrintStream err = System.err;
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (PrintStream printed = new PrintStream(bytes, true, StandardCharsets.UTF_8)) {
      System.setOut(printed);
      System.setErr(printed);
      int code = ToolRunner.run(new DFSAdmin(cluster.clientConfiguration()), arguments);
      return new Printed(code, steady(bytes.toString(StandardCharsets.UTF_8)));
    } finally {
      System.setOut(out);
      System.setErr(err);
    }
  }

  /** Without what differs from run to run. */
  private static String steady(String text) {
    return text.lines()
        .filter(line -> !line.matches(".* (INFO|WARN|DEBUG) .*"))
        .map(
            line ->
                line.replaceAll("127\\.0\\.0\\.1:\\d+", "NODE")
                    .replaceAll("^(Name: NODE).*", "$1")
                    .replaceAll("\\w{3} \\w{3} \\d+ [\\d:]+ \\w+ \\d{4}", "DATE")
                    .replaceAll("\\d+ \\([\\d.]+ ?[KMGTP]?B\\)", "BYTES")
                    .replaceAll("\\d+\\([\\d.]+ ?[KMGTP]?B?\\)", "BYTES")
                    .replaceAll("\\d+(\\.\\d+)?%", "PERCENT")
                    .replaceAll("^(Xceivers): \\d+", "$1: N"))
        .collect(Collectors.joining("\n"));
  }

  private static DataNode dataNode(int number) {
    return cluster.dataNodes().get(number);
  }

  private static String rpcAddress() {
    return "127.0.0.1:" + cluster.port();
  }

  /** Of all DataNodes, the fewest first. */
  private static List<Integer> blockCounts() throws Exception {
    return run("-report").lines().stream()
        .filter(line -> line.startsWith("Num of Blocks: "))
        .map(line -> Integer.valueOf(line.substring("Num of Blocks: ".length())))
        .sorted()
        .toList();
  }

  @Test
  @Order(1)
  void report() throws Exception {
    Await.until(
        "two replicas counted, and full reports",
        LIMIT,
        () -> blockCounts().equals(List.of(0, 1, 1)) && !run("-report").text().contains("Never"));
    Printed report = run("-report");
    assertThat(report.code()).isZero();
    List<String> head =
        List.of(
            "Configured Capacity: BYTES",
            "Present Capacity: BYTES",
            "DFS Remaining: BYTES",
            "DFS Used: BYTES",
            "DFS Used%: PERCENT",
            "Replicated Blocks:",
            "\tUnder replicated blocks: 0",
            "\tBlocks with corrupt replicas: 0",
            "\tMissing blocks: 0",
            "\tMissing blocks (with replication factor 1): 0",
            "\tBadly Distributed Blocks: 0",
            "\tLow redundancy blocks with highest priority to recover: 0",
            "\tPending deletion blocks: 0",
            "Erasure Coded Block Groups: ",
            "\tLow redundancy block groups: 0",
            "\tBlock groups with corrupt internal blocks: 0",
            "\tMissing block groups: 0",
            "\tBadly Distributed Blocks: 0",
            "\tLow redundancy blocks with highest priority to recover: 0",
            "\tPending deletion blocks: 0",
            "",
            "-------------------------------------------------",
            "Live datanodes (3):",
            "");
    List<String> node =
        List.of(
            "Name: NODE",
            "Hostname: 127.0.0.1",
            "Decommission Status : Normal",
            "Configured Capacity: BYTES",
            "DFS Used: BYTES",
            "Non DFS Used: BYTES",
            "DFS Remaining: BYTES",
            "DFS Used%: PERCENT",
            "DFS Remaining%: PERCENT",
            "Configured Cache Capacity: BYTES",
            "Cache Used: BYTES",
            "Cache Remaining: BYTES",
            "Cache Used%: PERCENT",
            "Cache Remaining%: PERCENT",
            "Xceivers: N",
            "Last contact: DATE",
            "Last Block Report: DATE",
            "Num of Blocks: 1",
            "",
            "");
    List<String> all = new ArrayList<>(head);
    for (int i = 0; i < 3; i++) {
      all.addAll(node);
    }
    List<String> lines =
        report.lines().stream()
            .map(line -> line.equals("Num of Blocks: 0") ? "Num of Blocks: 1" : line)
            .toList();
    assertThat(lines).startsWith(all.subList(0, all.size() - 2).toArray(String[]::new));
    assertThat(run("-report", "-live").text()).contains("Live datanodes (3):");
    assertThat(run("-report", "-dead").text()).doesNotContain("Live datanodes", "Name:");
    assertThat(run("-report", "-decommissioning").text()).doesNotContain("Name:");
    assertThat(run("-report", "-enteringmaintenance").text()).doesNotContain("Name:");
    assertThat(run("-report", "-inmaintenance").text()).doesNotContain("Name:");
  }

  @Test
  @Order(2)
  void safeMode() throws Exception {
    assertThat(run("-safemode", "get").text()).isEqualTo("Safe mode is OFF");
    assertThat(run("-safemode", "enter").text()).isEqualTo("Safe mode is ON");
    assertThat(run("-saveNamespace").text()).isEqualTo("Save namespace successful");
    assertThat(run("-safemode", "leave").text()).isEqualTo("Safe mode is OFF");
    assertThat(run("-saveNamespace").text())
        .contains("Safe mode should be turned ON in order to create namespace image.");
  }

  @Test
  @Order(2)
  void topology() throws Exception {
    List<String> lines = run("-printTopology").lines();
    assertThat(lines).hasSize(4).first().isEqualTo("Rack: /default-rack");
    assertThat(lines.subList(1, 4)).allMatch(line -> line.matches(IN_SERVICE));
  }

  @Test
  @Order(2)
  void openFiles() throws Exception {
    assertThat(run("-listOpenFiles").lines())
        .containsExactly("Client Host         \tClient Name         \tOpen File Path");
    try (FSDataOutputStream out = cluster.fileSystem().create(OPEN)) {
      out.write(1);
      out.hflush();
      assertThat(run("-listOpenFiles", "-path", "/data").lines())
          .hasSize(2)
          .last()
          .asString()
          .matches("127\\.0\\.0\\.1\\s+\tDFSClient_NONMAPREDUCE_\\S+\t\\s*/data/open");
      assertThat(run("-listOpenFiles", "-path", "/other").lines()).hasSize(1);
      assertThat(run("-listOpenFiles", "-blockingDecommission").lines()).hasSize(1);
    }
  }

  @Test
  @Order(2)
  void quotas() throws Exception {
    cluster.fileSystem().mkdirs(new Path("/quota/a"));
    assertThat(run("-setQuota", "3", "/quota")).isEqualTo(new Printed(0, ""));
    assertThat(run("-setSpaceQuota", "1g", "/quota")).isEqualTo(new Printed(0, ""));
    assertThat(run("-setSpaceQuota", "1m", "-storageType", "SSD", "/quota"))
        .isEqualTo(new Printed(0, ""));
    cluster.fileSystem().mkdirs(new Path("/quota/b"));
    assertThat(cluster.fileSystem().getContentSummary(new Path("/quota")).getQuota()).isEqualTo(3);
    assertThat(run("-clrQuota", "/quota").code()).isZero();
    assertThat(run("-clrSpaceQuota", "/quota").code()).isZero();
    assertThat(run("-clrSpaceQuota", "-storageType", "SSD", "/quota").code()).isZero();
    assertThat(run("-setQuota", "1", "/none"))
        .isEqualTo(new Printed(-1, "setQuota: Directory does not exist: /none"));
    assertThat(run("-setQuota", "0", "/quota").text())
        .startsWith("setQuota: Invalid values for quota : 0");
  }

  @Test
  @Order(3)
  void metaSave() throws Exception {
    java.nio.file.Path file = cluster.folder().resolve("saved");
    assertThat(run("-metasave", "saved").text())
        .isEqualTo("Created metasave file saved in the log directory of namenode hdfs://NODE");
    List<String> expected = new ArrayList<>();
    int blocks = blocks();
    Collections.addAll(
        expected,
        "BLOCKS",
        "Live Datanodes: 3",
        "Dead Datanodes: 0",
        "Metasave: Blocks waiting for reconstruction: 0",
        "Metasave: Blocks currently missing: 0",
        "Mis-replicated blocks that have been postponed:",
        "Metasave: Blocks being reconstructed: 0",
        "Metasave: Blocks 0 waiting deletion from 0 datanodes.",
        "Corrupt Blocks:",
        "Metasave: Number of datanodes: 3");
    for (int i = 0; i < 3; i++) {
      expected.add("NODE IN BYTES BYTES PERCENT BYTES BYTES BYTES PERCENT BYTES DATE");
    }
    Await.until(
        "all is quiet",
        LIMIT,
        () -> {
          run("-metasave", file.getFileName().toString());
          return Files.readString(file).contains("Blocks being reconstructed: 0");
        });
    List<String> found = new ArrayList<>(steady(Files.readString(file)).lines().toList());
    assertThat(found.get(0))
        .matches(
            "\\d+ files and directories, " + blocks + " blocks = \\d+ total filesystem objects");
    found.set(0, "BLOCKS");
    assertThat(found).containsExactlyElementsOf(expected);
  }

  private static int blocks() throws Exception {
    return cluster.fileSystem().getFileStatus(new Path("/data/file")).getLen() > 0
        ? cluster.fileSystem().exists(OPEN) ? 2 : 1
        : 0;
  }

  @Test
  @Order(4)
  void blocksOfStoppedDataNodesAreInTheFile() throws Exception {
    java.nio.file.Path file = cluster.folder().resolve("metasave-alone");
    DistributedFileSystem fs = cluster.fileSystem();
    new Content(2, 1000).write(fs, new Path("/data/three"));
    fs.setReplication(new Path("/data/three"), (short) 4);
    String block =
        "/data/three: blk_\\d+_\\d+ \\(replicas: live: 3 decommissioning and decommissioned: 0"
            + " corrupt: 0 in excess: 0 maintenance mode: 0\\)  NODE :  NODE :  NODE : ";
    Await.until(
        "the block in the file",
        LIMIT,
        () -> {
          run("-metasave", file.getFileName().toString());
          return steady(Files.readString(file)).lines().anyMatch(line -> line.matches(block));
        });
    assertThat(steady(Files.readString(file)))
        .contains("Metasave: Blocks waiting for reconstruction: 1\n/data/three: ");
    fs.delete(new Path("/data/three"), false);
  }

  @Test
  @Order(3)
  void logAndCallQueue() throws Exception {
    String rolled = "Successfully rolled edit logs.\nNew segment starts at txid ";
    Printed first = run("-rollEdits");
    assertThat(first.text()).matches(rolled + "\\d+");
    cluster.fileSystem().mkdirs(new Path("/after-the-roll"));
    Printed second = run("-rollEdits");
    assertThat(second.text()).matches(rolled + "\\d+").isNotEqualTo(first.text());
    assertThat(run("-refreshCallQueue")).isEqualTo(new Printed(0, "Refresh call queue successful"));
  }

  @Test
  @Order(3)
  void reconfiguration() throws Exception {
    assertThat(run("-reconfig", "namenode", rpcAddress(), "properties").lines())
        .contains(
            "Node [NODE] Reconfigurable properties:",
            "dfs.block.invalidate.limit",
            "dfs.heartbeat.interval",
            "dfs.namenode.heartbeat.recheck-interval",
            "dfs.namenode.replication.max-streams",
            "dfs.namenode.replication.max-streams-hard-limit",
            "dfs.namenode.replication.work.multiplier.per.iteration");
    assertThat(run("-reconfig", "namenode", rpcAddress(), "status").text())
        .isEqualTo("Reconfiguring status for node [NODE]: no task was found.");
    Map<String, String> changed = settings();
    changed.put("dfs.namenode.heartbeat.recheck-interval", "2000");
    changed.put("dfs.namenode.replication.max-streams", "-1");
    cluster.configure(changed);
    assertThat(run("-reconfig", "namenode", rpcAddress(), "start").text())
        .isEqualTo("Started reconfiguration task on node [NODE].");
    Await.until(
        "end of the task",
        LIMIT,
        () ->
            run("-reconfig", "namenode", rpcAddress(), "status").text().contains(" and finished"));
    List<String> status = run("-reconfig", "namenode", rpcAddress(), "status").lines();
    assertThat(status.get(0))
        .isEqualTo("Reconfiguring status for node [NODE]: started at DATE and finished at DATE.");
    assertThat(status)
        .contains(
            "SUCCESS: Changed property dfs.namenode.heartbeat.recheck-interval",
            "\tTo: \"2000\"",
            "FAILED: Change property dfs.namenode.replication.max-streams",
            "\tError: dfs.namenode.replication.max-streams = '-1' is invalid. It should be a"
                + " positive, non-zero integer value..");
  }

  @Test
  @Order(4)
  void blockReports() throws Exception {
    String address = "127.0.0.1:" + dataNode(0).getIpcPort();
    assertThat(run("-triggerBlockReport", address).text())
        .isEqualTo("Triggering a full block report on NODE.");
    assertThat(run("-triggerBlockReport", "-incremental", address).text())
        .isEqualTo("Triggering an incremental block report on NODE.");
  }

  @Test
  @Order(4)
  void bandwidth() throws Exception {
    assertThat(run("-setBalancerBandwidth", "200m"))
        .isEqualTo(new Printed(0, "Balancer bandwidth is set to 209715200"));
    Await.until("it is told", LIMIT, () -> dataNode(1).getBalancerBandwidth() == 209715200);
    assertThat(run("-setBalancerBandwidth", "2t").text())
        .contains("Bandwidth should not exceed maximum limit 1099511627776 bytes per second");
  }

  @Test
  @Order(5)
  void maintenanceAndDecommission() throws Exception {
    DataNode away = dataNode(0);
    String address = away.getDatanodeId().getXferAddr();
    new HostsFile(hosts, cluster).write(away, "IN_MAINTENANCE");
    try (FSDataOutputStream out = openOn(away)) {
      assertThat(run("-refreshNodes")).isEqualTo(new Printed(0, "Refresh nodes successful"));
      Await.until(
          "report of the one that enters maintenance",
          LIMIT,
          () -> run("-report", "-enteringmaintenance").text().contains("Name: NODE"));
      assertThat(run("-report", "-enteringmaintenance").text())
          .contains("Entering maintenance datanodes (1):")
          .contains("Decommission Status : Entering maintenance");
      // What is only being written there does not hold it up.
      assertThat(run("-listOpenFiles", "-blockingDecommission").lines()).hasSize(1);
      assertThat(run("-printTopology").text()).contains("Entering Maintenance");
      out.write(2);
    }
    Await.until("maintenance", LIMIT, () -> state(address).equals("In Maintenance"));
    assertThat(run("-report", "-inmaintenance").text())
        .contains("In maintenance datanodes (1):")
        .contains("Decommission Status : In maintenance");
    assertThat(run("-listOpenFiles", "-blockingDecommission").lines()).hasSize(1);

    new HostsFile(hosts, cluster).write(away, "DECOMMISSIONED");
    run("-refreshNodes");
    Await.until("decommission", LIMIT, () -> state(address).equals("Decommissioned"));
    assertThat(run("-report").text()).contains("Decommission Status : Decommissioned");
    assertThat(run("-printTopology").text()).contains("Decommissioned");
    for (String file : List.of("/data/file", "/data/open-away")) {
      long others =
          List.of(cluster.fileSystem().getFileBlockLocations(new Path(file), 0, 1)[0].getNames())
              .stream()
              .filter(name -> !name.equals(address))
              .count();
      assertThat(others).as(file).isGreaterThanOrEqualTo(file.equals("/data/file") ? 2 : 1);
    }
    new HostsFile(hosts, cluster).write();
    run("-refreshNodes");
    Await.until("service again", LIMIT, () -> state(address).equals("In Service"));
  }

  private static FSDataOutputStream openOn(DataNode node) throws Exception {
    FSDataOutputStream out =
        cluster
            .fileSystem()
            .create(
                new Path("/data/open-away"),
                org.apache.hadoop.fs.permission.FsPermission.getFileDefault(),
                true,
                4096,
                (short) 1,
                1 << 20,
                null,
                new java.net.InetSocketAddress[] {node.getXferAddress()});
    out.write(1);
    out.hflush();
    return out;
  }

  private static String state(String address) throws Exception {
    for (DatanodeInfo node : cluster.fileSystem().getDataNodeStats(DatanodeReportType.ALL)) {
      if (node.getXferAddr().equals(address)) {
        return node.getAdminState().toString();
      }
    }
    return "";
  }

  /** All, and of one something more. */
}
