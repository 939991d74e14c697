package io.acaciafs.tools.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.bench.Steps;
import io.acaciafs.bench.compare.Machine;
import io.acaciafs.bench.compare.Plan;
import io.acaciafs.bench.security.Realm;
import io.acaciafs.bench.security.SecurityComparison;
import io.acaciafs.tools.local.LocalKdc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The benchmark runs against both NameNodes, and says what it found; how fast is not asked. */
class BenchSecurityTest {
  private static final Plan SHORT =
      new Plan(1, Duration.ofMillis(50), Duration.ofMillis(50), Duration.ofMillis(150), 0);

  @Test
  void everyKindOfClientIsMeasured(@TempDir Path folder) throws Exception {
    Path keys = Files.createDirectory(folder.resolve("kdc"));
    Machine machine = Machine.look(LocalDate.of(2026, 1, 2), "test", folder);
    try (LocalKdc kdc = LocalKdc.start(keys, Realm.principals());
        SecurityComparison comparison =
            SecurityComparison.start(
                SHORT,
                folder,
                List.of("-Xmx256m", "-XX:TieredStopAtLevel=1"),
                new Realm(LocalKdc.REALM, kdc.krb5Conf(), kdc::keytab),
                Steps.silent(),
                line -> {})) {
      JsonNode json = new ObjectMapper().readTree(comparison.run(machine).json());
      assertThat(comparison.failures()).isEmpty();
      assertThat(json.get("stat")).hasSize(12).allSatisfy(BenchSecurityTest::assertMeasured);
      assertThat(json.get("connections")).hasSize(3).allSatisfy(BenchSecurityTest::assertMeasured);
    }
  }

  private static void assertMeasured(JsonNode row) {
    for (String side : List.of("hdfs", "acacia")) {
      assertThat(row.at("/" + side + "/per_second").asDouble()).as("%s %s", side, row).isPositive();
      assertThat(row.at("/" + side + "/p99_us").asDouble()).as("%s %s", side, row).isPositive();
    }
  }
}
