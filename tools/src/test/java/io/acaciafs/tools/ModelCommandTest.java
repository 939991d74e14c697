package io.acaciafs.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class ModelCommandTest {
  private static final Path EXAMPLE = Path.of("../conf/model/small.json");

  @RegisterExtension private final CommandOutput output = new CommandOutput();

  @Test
  void saysWhatASiteNeedsPlaysAndDrawsIt(@TempDir Path folder) {
    String[] command = {
      "model", EXAMPLE.toString(), "--simulate", "--tasks=10000", "--plots=" + folder
    };
    assertThat(Acacia.run(command)).isZero();
    assertThat(folder.resolve("model-servers.svg")).content().contains("NameNode");
    assertThat(folder.resolve("model-limits.svg")).isNotEmptyFile();
    assertThat(output.toString())
        .contains("Engine: rocksdb", "what runs out first", "calls, by formulas")
        .containsPattern("NameNode +1 ")
        .contains("calls, simulated", "Simulated utilisation");
  }

  @Test
  void namesTheFieldThatIsWrong(@TempDir Path folder) throws IOException {
    Path site = folder.resolve("site.json");
    Files.writeString(site, Files.readString(EXAMPLE).replace("\"cores\": 8", "\"cores\": 0"));
    assertThat(Acacia.run("model", site.toString())).isEqualTo(1);
    assertThat(output.toString())
        .contains("acacia: " + site + ": machine.cores must be from 1 to 1024, and is 0.");
  }

  @Test
  void endsWithOneWhereNoNumberOfServersSuffices(@TempDir Path folder) throws IOException {
    Path site = folder.resolve("site.json");
    Files.writeString(
        site,
        Files.readString(EXAMPLE)
            .replace("\"connected\": 500, \"writing\": 50", "\"connected\": 1e9, \"writing\": 1e9")
            .replace("\"files\": 2e7", "\"engine\": \"hbase\", \"files\": 2e7"));
    assertThat(Acacia.run("model", site.toString())).isEqualTo(1);
    assertThat(output.toString()).contains("There is not enough");
  }
}
