package io.acaciafs.bench.ha;

import static org.assertj.core.api.Assertions.assertThat;

import io.acaciafs.bench.compare.Machine;
import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FailoverTimesTest {
  private static final Machine MACHINE =
      new Machine(LocalDate.of(2026, 1, 2), "1.0", "Some CPU", 2, 0.1, 0.5);

  @Test
  void theTableNamesSettingsAndAllTimes() {
    FailoverTimes times =
        new FailoverTimes(
            MACHINE,
            Map.of("acacia.some.thing", "1"),
            List.of(
                new Failovers(List.of(1_500L, 1_100L, 1_200L), List.of(90L), Failovers.Load.NONE),
                new Failovers(List.of(1_900L), List.of(190L), new Failovers.Load(16, 5_210.4))));
    assertThat(times.table())
        .contains("Settings: `acacia.some.thing` = `1`.")
        .contains("| the leader is killed | 3 | 1200 | 1500 | 1100 1200 1500 |")
        .contains("| leadership is handed over | 1 | 90 | 90 | 90 |")
        .contains(
            "| the leader is killed, beside 16 clients with 5,210 files/s | 1 | 1900 | 1900 |")
        .contains("| leadership is handed over, beside 16 clients with 5,210 files/s | 1 | 190 |");
  }

  @Test
  void whatWasNotMeasuredHasNoRow() {
    FailoverTimes times =
        new FailoverTimes(
            MACHINE,
            Map.of(),
            List.of(new Failovers(List.of(), List.of(90L), Failovers.Load.NONE)));
    assertThat(times.table()).contains("Settings: defaults.").doesNotContain("killed");
  }
}
