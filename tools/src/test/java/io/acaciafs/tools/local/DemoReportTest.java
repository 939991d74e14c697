package io.acaciafs.tools.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class DemoReportTest {

  @Test
  void linesUpAndSums() {
    DemoReport report = new DemoReport();
    report.add("Start", "both serve", Duration.ofMillis(1250));
    report.add("TeraSort", "10 rows", Duration.ofSeconds(100));

    assertThat(report.table().lines())
        .containsExactly(
            "  Start     both serve      1.3 s",
            "  TeraSort  10 rows       100.0 s",
            "  all                     101.3 s");
  }
}
