package io.acaciafs.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CostsReaderTest {
  @TempDir private Path folder;

  @BeforeEach
  void copy() throws IOException {
    Files.copy(MeasuredTable.RESULTS.resolve("costs.json"), folder.resolve("costs.json"));
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
  void aMeasurementOfDataNodesCounts() throws IOException, InputException {
    write(
        "datanodes.json",
        """
        {"measured": "2026-11-29", "command": "bench/datanodes", "host": "2 x AMD EPYC",
         "heartbeatCpuUs": 21.5, "heapBytesPerStorage": 900}
        """);
    Costs costs = CostsReader.of(folder);
    assertThat(costs.figure("heartbeatCpuUs")).isEqualTo(21.5);
    assertThat(costs.figure("heapBytesPerStorage")).isEqualTo(900);
    assertThat(costs.figures().get("heapBytesPerDataNode").source()).isEqualTo("estimate");
  }

  @Test
  void errorsNameTheField() throws IOException {
    write("pair.json", "{\"command\": \"bench/pair\", \"measured\": \"2026-11-29\"}");
    assertThatThrownBy(() -> CostsReader.of(folder))
        .isInstanceOf(InputException.class)
        .hasMessage("pair.json: operations is missing.");
    Files.delete(folder.resolve("pair.json"));
    String costs = Files.readString(folder.resolve("costs.json"));
    write("costs.json", costs.replace("\"heartbeatCpuUs\"", "\"heartBeatCpuUs\""));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("costs.json: figures.heartbeatCpuUs is missing.");
    write("costs.json", costs.replaceFirst("\"source\": \"pair\"", "\"source\": \"hearsay\""));
    assertThatThrownBy(() -> CostsReader.of(folder))
        .hasMessage("costs.json: hbase.stat.source must be one of sources, and is hearsay.");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(folder.resolve(file), text);
  }
}
