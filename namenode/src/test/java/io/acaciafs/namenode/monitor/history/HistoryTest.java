package io.acaciafs.namenode.monitor.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.acaciafs.namenode.monitor.SettableClock;
import io.acaciafs.rpc.metrics.RpcMetrics;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class HistoryTest {
  private static final String CLIENT = "org.apache.hadoop.hdfs.protocol.ClientProtocol";
  private static final String DATANODE = "org.apache.hadoop.hdfs.server.protocol.DatanodeProtocol";

  private final SettableClock clock = new SettableClock();
  private final History history = new History(clock);
  private final RpcMetrics calls = new RpcMetrics(() -> 7);
  private final Map<Series, Number> gauges = new HashMap<>();
  private final Sampler sampler =
      new Sampler(
          history,
          calls::snapshot,
          () -> gauges,
          () -> TimeUnit.MILLISECONDS.toNanos(clock.millis()));

  private void call(String protocol, String method, int count, long micros) {
    for (int i = 0; i < count; i++) {
      calls.method(protocol, method, false).answered(TimeUnit.MICROSECONDS.toNanos(micros), false);
    }
  }

  private void sample() {
    clock.advanceMs(History.INTERVAL_MS);
    sampler.run();
  }

  private JsonNode series(Window window, String name) {
    return Objects.requireNonNull(
        new ObjectMapper().valueToTree(history.shown(window)).get("series").get(name), name);
  }

  private double last(Window window, String name) {
    JsonNode numbers = series(window, name);
    return numbers.get(numbers.size() - 1).asDouble();
  }

  @Test
  void callsAreCountedBySecondAndKind() {
    call(CLIENT, "getFileInfo", 50, 100);
    call(CLIENT, "create", 20, 100);
    call(CLIENT, "mkdirs", 10, 100);
    call(CLIENT, "setTimes", 5, 100);
    call(DATANODE, "sendHeartbeat", 30, 100);
    sample();
    assertThat(last(Window.HOUR, "lookup")).isEqualTo(5);
    assertThat(last(Window.HOUR, "create")).isEqualTo(3);
    assertThat(last(Window.HOUR, "other")).isEqualTo(0.5);
    assertThat(last(Window.HOUR, "datanode")).isEqualTo(3);
    assertThat(last(Window.HOUR, "queued")).isEqualTo(7);
    sample();
    assertThat(last(Window.HOUR, "lookup")).isZero();
  }

  @Test
  void percentilesAreOfTheClientsCallsBetweenTwoSamples() {
    call(CLIENT, "getFileInfo", 980, 500);
    call(CLIENT, "getFileInfo", 20, 400_000);
    call(DATANODE, "blockReport", 1_000, 9_000_000);
    sample();
    assertThat(last(Window.HOUR, "p50Ms")).isBetween(0.45, 0.53); // within the bucket's bounds
    assertThat(last(Window.HOUR, "p99Ms")).isBetween(335.0, 403.0);
    call(CLIENT, "getFileInfo", 100, 500);
    sample();
    assertThat(last(Window.HOUR, "p99Ms")).isLessThan(0.53);
    sample();
    JsonNode numbers = series(Window.HOUR, "p99Ms");
    assertThat(numbers.get(numbers.size() - 1).isNull()).isTrue(); // nobody called
  }

  @Test
  void theDayHasMeansOfRatesAndTheWorstOfTheRest() {
    clock.advanceMs(300_000 - clock.millis() % 300_000);
    for (int i = 0; i < 10; i++) {
      call(CLIENT, "delete", i * 10, 100);
      gauges.put(Series.REPAIR, i == 4 ? 40 : i);
      gauges.put(Series.DISK_FREE_MIB, i == 7 ? 200 : 1_000);
      sample();
    }
    assertThat(last(Window.DAY, "delete")).isEqualTo(4.5);
    assertThat(last(Window.DAY, "repair")).isEqualTo(40);
    assertThat(last(Window.DAY, "diskFreeMib")).isEqualTo(200);
    assertThat(last(Window.HOUR, "repair")).isEqualTo(9);
  }

  @Test
  void aPauseIsAGapAndWhatIsOlderThanTheWindowIsGone() {
    gauges.put(Series.REPAIR, 1);
    sample();
    clock.advanceMs(60_000);
    gauges.put(Series.REPAIR, 2);
    sample();
    JsonNode repair = series(Window.HOUR, "repair");
    assertThat(repair.size()).isEqualTo(360);
    assertThat(repair.get(359).asInt()).isEqualTo(2);
    assertThat(repair.get(358).isNull()).isTrue();
    assertThat(repair.get(352).asInt()).isEqualTo(1);
    clock.advanceMs(TimeUnit.HOURS.toMillis(2));
    sample();
    assertThat(series(Window.HOUR, "repair").get(352).isNull()).isTrue();
    assertThat(last(Window.HOUR, "repair")).isEqualTo(2);
  }

  @Test
  void aClockThatIsSetBackDoesNoHarm() {
    gauges.put(Series.REPAIR, 5);
    sample();
    clock.advanceMs(-3_600_000);
    gauges.put(Series.REPAIR, 6);
    sample();
    assertThat(last(Window.HOUR, "repair")).isEqualTo(6);
  }

  @Test
  void aDayOfAllFiguresIsFarBelowAMegabyte() throws Exception {
    float[] sample = new float[Series.values().length];
    Arrays.fill(sample, 123_456.78f);
    for (int i = 0; i < 8_640; i++) {
      clock.advanceMs(History.INTERVAL_MS);
      history.add(sample);
    }
    ObjectMapper mapper = new ObjectMapper();
    assertThat(mapper.writeValueAsString(history.shown(Window.DAY))).hasSizeLessThan(50_000);
    assertThat(mapper.writeValueAsString(history.shown(Window.HOUR))).hasSizeLessThan(60_000);
  }
}
