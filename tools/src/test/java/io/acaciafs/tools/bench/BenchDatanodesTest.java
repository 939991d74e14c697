package io.acaciafs.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.fleet.DatanodeCosts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs, and says what it found; how dear it is is not asked. */
class BenchDatanodesTest {
  private static final DatanodeCosts.Plan SMALL =
      new DatanodeCosts.Plan(
          DatanodeCosts.Engine.ROCKSDB,
          50,
          3000,
          1,
          Duration.ofMillis(200),
          Duration.ofSeconds(1),
          Duration.ofSeconds(1),
          Duration.ZERO,
          Duration.ofSeconds(20),
          List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"));

  @Test
  void everythingIsMeasured(@TempDir Path folder) throws Exception {
    Machine machine = Machine.look(LocalDate.of(2026, 1, 2), "test", folder);
    DatanodeCosts.Outcome outcome =
        DatanodeCosts.run(SMALL, machine, folder, Steps.silent(), line -> {});
    JsonNode json = new ObjectMapper().readTree(outcome.json());
    assertThat(json.get("measured").asText()).isEqualTo("2026-01-02");
    for (String figure : List.of("heartbeatCpuUs", "firstCallMs", "registeredMs")) {
      assertThat(json.get(figure).asDouble()).as("%s in %s", figure, json).isPositive();
    }
    // Of so few the heap is less than what it varies by.
    assertThat(json.get("heapBytesPerDataNode").isNumber()).isTrue();
    assertThat(json.get("heapBytesPerStorage").isNumber()).isTrue();
    assertThat(json.get("stormReports").asInt()).isEqualTo(50);
    assertThat(outcome.table()).contains("50 DataNodes").contains("heartbeat");
  }
}
