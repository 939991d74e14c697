package io.acaciafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.systemtests.harness.AcaciaCommand;
import io.acaciafs.systemtests.harness.Cluster;
import io.acaciafs.systemtests.harness.NameNodeProgram;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The benchmark runs against both NameNodes, and says what it found; how fast is not asked. */
class BenchTest {
  private static final Duration EXIT_LIMIT = Duration.ofSeconds(120);
  private static final String[] OPERATIONS = {
    "stat",
    "open",
    "list",
    "create",
    "mkdir",
    "rename",
    "delete",
    "create_delete",
    "mix",
    "create_write",
    "open_read",
    "list_status",
    "metarates"
  };
  private static final String[] SMALL = {
    "--connections=2",
    "--in-flight=4",
    "--warm-up=0.1",
    "--duration=0.3",
    "--directories=3",
    "--depth=2",
    "--files-per-directory=10",
    "--files=100",
    "--calls-per-task=20"
  };

  @TempDir private Path folder;

  private AcaciaCommand bench(Cluster cluster, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("bench", "-fs", cluster.uri().toString()));
    all.addAll(List.of(SMALL));
    all.addAll(List.of(arguments));
    // stderr goes to the same file, and JSON is to be alone in it
    List<String> options = List.of("-Dlog4j.configuration=none");
    return AcaciaCommand.start(folder.resolve("output"), options, all.toArray(String[]::new));
  }

  @ParameterizedTest
  @EnumSource(names = {"ACACIA", "HADOOP"})
  void everyOperationIsMeasured(NameNodeProgram program) throws Exception {
    try (Cluster cluster = Cluster.builder("bench").program(program).dataNodes(0).start()) {
      List<String> arguments = new ArrayList<>(List.of(OPERATIONS));
      arguments.add("--json");
      arguments.add("--pid=" + cluster.nameNode().pid());
      try (AcaciaCommand bench = bench(cluster, arguments.toArray(String[]::new))) {
        int code = bench.awaitExit(EXIT_LIMIT);
        String output = bench.output();
        assertThat(code).as(output).isZero();
        JsonNode json = new ObjectMapper().readTree(output.substring(output.indexOf('{')));
        assertThat(json.get("connections").asInt()).isEqualTo(2);
        for (String operation : OPERATIONS) {
          if (operation.equals("metarates")) {
            assertMeasured(json, "metarates_create");
            assertMeasured(json, "metarates_remove");
          } else {
            assertMeasured(json, operation);
          }
        }
        assertThat(json.at("/operations/list_status/operations").asInt()).isEqualTo(8 * 20);
        assertThat(json.at("/operations/delete/operations").asInt()).isEqualTo(100);
      }
      assertThat(cluster.fileSystem().listStatus(new org.apache.hadoop.fs.Path("/bench")))
          .as("what is left behind")
          .isEmpty();
    }
  }

  private static void assertMeasured(JsonNode json, String operation) {
    JsonNode node = json.at("/operations/" + operation);
    assertThat(node.path("operations").asLong()).as(operation).isPositive();
    assertThat(node.path("ops_per_second").asDouble()).as(operation).isPositive();
    assertThat(node.path("cpu_us").isNumber()).as(operation).isTrue();
    assertThat(node.path("p50_us").asDouble())
        .as(operation)
        .isPositive()
        .isLessThanOrEqualTo(node.path("p99_us").asDouble());
    assertThat(node.path("p99_us").asDouble()).isLessThanOrEqualTo(node.path("p999_us").asDouble());
    assertThat(node.path("errors")).as(operation).isEmpty();
  }

  @Test
  void failedCallsAreSaidAndMakeTheCommandFail() throws Exception {
    try (Cluster cluster = Cluster.builder("bench").dataNodes(0).start()) {
      cluster.fileSystem().mkdirs(new org.apache.hadoop.fs.Path("/bench"));
      cluster
          .fileSystem()
          .setPermission(
              new org.apache.hadoop.fs.Path("/bench"),
              new org.apache.hadoop.fs.permission.FsPermission("755"));
      try (AcaciaCommand bench = bench(cluster, "create", "--user=somebody")) {
        assertThat(bench.awaitExit(EXIT_LIMIT)).isEqualTo(1);
        assertThat(bench.output()).contains("AccessControlException", "user=somebody");
      }
    }
  }
}
