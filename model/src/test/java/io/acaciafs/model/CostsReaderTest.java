package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostsReaderTest {
  @TempDir private Path folder;

  @BeforeEach
  void copy() throws IOException {
    for (String file : List.of("costs.json", "datanodes-rocksdb.json", "datanodes-hbase.json")) {
      Files.copy(MeasuredTable.RESULTS.resolve(file), folder.resolve(file));
    }
  }

  @Test
  void theJarHasWhatIsInTheFolder() throws IOException, InputException {
    assertThat(CostsReader.ofThisVersion()).isEqualTo(CostsReader.of(MeasuredTable.RESULTS));
  }

  @Test
  void aLaterMeasurementOfAPairCounts() throws IOException, InputException {
    write(
        "pair.json",
        """
        {"measured": "2026-11-29", "command": "bench/pair", "host": "2 x AMD EPYC", "rounds": 3,
         "operations": {"create": {"nameNodeCpuUs": 70.0, "regionServerCpuUs": 150.0, "other": 1},
                        "list_status": {"nameNodeCpuUs": 12.0, "regionServerCpuUs": 9.0},
                        "mix": {"nameNodeCpuUs": 50.0, "regionServerCpuUs": 60.0}}}
        """);
    Costs costs = CostsReader.of(folder);
    assertThat(costs.hbase().of("create")).isEqualTo(new CallCost(70, 150, true, "bench/pair"));
    assertThat(costs.hbase().of("list")).isEqualTo(new CallCost(12, 9, false, "bench/pair"));
    assertThat(costs.hbase().of("mkdir").source()).isEqualTo("pair");
    assertThat(costs.sources())
        .containsEntry("bench/pair", "bench/pair on 2026-11-29, 2 x AMD EPYC");
  }

  @Test
  void eachEngineHasItsMeasurementOfDataNodes() throws IOException, InputException {
    write("datanodes-rocksdb.json", dataNodes("rocksdb", 21.5));
    write("datanodes-hbase.json", dataNodes("hbase", 43));
    Costs costs = CostsReader.of(folder);
    assertThat(costs.embeddedDataNodes())
        .isEqualTo(new DataNodeCosts(21.5, 300, 30, 5000, 900, "bench/datanodes of rocksdb"));
    assertThat(costs.hbaseDataNodes().heartbeatCpuUs()).isEqualTo(43);
    assertThat(costs.sources())
        .containsEntry(
            "bench/datanodes of hbase", "bench/datanodes of hbase on 2026-11-29, 2 x AMD EPYC");
  }

  @Test
  void aMeasurementOfAnotherEngineIsRefused() throws IOException {
    write("datanodes-hbase.json", dataNodes("rocksdb", 21.5));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("datanodes-hbase.json: engine must be hbase, and is rocksdb.");
    Files.delete(folder.resolve("datanodes-hbase.json"));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("There is no datanodes-hbase.json.");
  }

  private static String dataNodes(String engine, double heartbeatCpuUs) {
    return """
        {"measured": "2026-11-29", "command": "bench/datanodes of %s", "host": "2 x AMD EPYC",
         "engine": "%s", "dataNodes": 10, "heartbeatCpuUs": %s, "incrementalReplicaCpuUs": 300,
         "fullReportReplicaCpuUs": 30, "heapBytesPerDataNode": 5000, "heapBytesPerStorage": 900}
        """
        .formatted(engine, engine, heartbeatCpuUs);
  }

  @Test
  void errorsNameTheField() throws IOException {
    write("pair.json", "{\"command\": \"bench/pair\", \"measured\": \"2026-11-29\"}");
    assertThatThrownBy(() -> CostsReader.of(folder))
        .isInstanceOf(InputException.class)
        .hasMessage("pair.json: operations is missing.");
    Files.delete(folder.resolve("pair.json"));
    String costs = Files.readString(folder.resolve("costs.json"));
    write("costs.json", costs.replace("\"roundTripMs\"", "\"roundtripMs\""));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("costs.json: figures.roundTripMs is missing.");
    write("costs.json", costs.replaceFirst("\"source\": \"pair\"", "\"source\": \"hearsay\""));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("costs.json: hbase.stat.source must be one of sources, and is hearsay.");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
