package io.acaciafs.namenode.monitor.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.namenode.process.RunningWork;
import io.acaciafs.namenode.process.RunningWork.Progress;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WorkPageTest {
  private final SettableClock clock = new SettableClock();
  private final RunningWork running = new RunningWork(clock);

  private JsonNode shown() {
    WorkPage page = new WorkPage(Map.of(), new WorkRates(clock::millis), running, clock);
    return new ObjectMapper().valueToTree(page.read().body()).get("running");
  }

  @Test
  void workIsShownWithTheTimeThatIsLeftAtItsPace() {
    try (RunningWork.Handle check = running.begin("Check", "for me")) {
      assertThat(shown().get(0).has("step")).as("before it has told anything").isFalse();
      clock.advanceMs(10_000);
      check.report(new Progress("entries", 250, 1_000, "rows"));
      JsonNode run = shown().get(0);
      assertThat(run.get("step").asText()).isEqualTo("entries");
      assertThat(run.get("done").asLong()).isEqualTo(250);
      assertThat(run.get("total").asLong()).isEqualTo(1_000);
      assertThat(run.get("unit").asText()).isEqualTo("rows");
      assertThat(run.get("leftMs").asLong()).isEqualTo(30_000);
    }
    assertThat(shown()).isEmpty();
  }

  @Test
  void whatIsNotKnownIsLeftOut() {
    try (RunningWork.Handle work = running.begin("Work", "")) {
      clock.advanceMs(10_000);
      work.report(new Progress("comparing", 250, -1, "rows"));
      assertThat(shown().get(0).get("done").asLong()).isEqualTo(250);
      assertThat(shown().get(0).has("total")).isFalse();
      assertThat(shown().get(0).has("leftMs")).isFalse();
      work.report(Progress.of("waiting"));
      assertThat(shown().get(0).get("step").asText()).isEqualTo("waiting");
      assertThat(shown().get(0).has("done")).isFalse();
      work.report(new Progress("begins", 0, 10, "rows"));
      assertThat(shown().get(0).has("leftMs")).as("without a pace").isFalse();
    }
  }

  @Test
  void anEstimateThatWasTooLowGrows() {
    try (RunningWork.Handle work = running.begin("Work", "")) {
      clock.advanceMs(10_000);
      work.report(new Progress("entries", 1_100, 1_000, "rows"));
      assertThat(shown().get(0).get("total").asLong()).isEqualTo(1_100);
      assertThat(shown().get(0).get("leftMs").asLong()).isZero();
    }
  }

  @Test
  void aSourceIsAskedAtEachLook() {
    long[] done = {1};
    try (RunningWork.Handle work = running.begin("Backup", "to /b")) {
      work.follow(() -> new Progress("copying", done[0]++, 10, "bytes"));
      assertThat(shown().get(0).get("done").asLong()).isEqualTo(1);
      assertThat(shown().get(0).get("done").asLong()).isEqualTo(2);
    }
  }
}
