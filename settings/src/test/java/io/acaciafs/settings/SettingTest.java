package io.acaciafs.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SettingTest {
  private static final Setting<Integer> THREADS =
      Setting.ofInt("a.threads", 4, Range.between(1, 8), "threads", "who works");
  private static final Setting<Long> ENTRIES =
      Setting.ofLong("a.entries", Default.of(0L), Range.atLeast(0), "entries", "how many");
  private static final Setting<Long> INTERVAL =
      Setting.ofTimeMs("a.interval", 90_000, Range.between(1, 3_600_000), "how often");
  private static final Setting<Long> SIZE =
      Setting.ofBytes("a.size", Default.of(64L << 20), Range.atLeast(1 << 20), "how large");
  private static final Setting<Boolean> SWITCH = Setting.ofBoolean("a.switch", true, "whether");
  private static final Setting<String> COLOUR =
      Setting.ofChoice(
          "a.colour", Default.of("red"), List.of("red", "green", "blue"), "which colour");
  private static final Setting<String> PLACE =
      Setting.ofText("a.place", Default.none(), "host:port of a server", "where");
  private static final List<Setting<?>> ALL =
      List.of(THREADS, ENTRIES, INTERVAL, SIZE, SWITCH, COLOUR, PLACE);

  private static Object read(String name, String value) {
    Setting<?> setting =
        ALL.stream().filter(each -> each.name().equals(name)).findAny().orElseThrow();
    return setting.in(Map.of(name, value)::get);
  }

  @ParameterizedTest
  @CsvSource({
    "a.threads, 1, 1",
    "a.threads, 0x8, 8",
    "a.entries, 9000000000, 9000000000",
    "a.entries, 0x10, 16",
    "a.interval, 7, 7",
    "a.interval, 7ms, 7",
    "a.interval, 7S, 7000",
    "a.interval, 2m, 120000",
    "a.interval, 1h, 3600000",
    "a.interval, 5000us, 5",
    "a.interval, 9000000ns, 9",
    "a.size, 1048576, 1048576",
    "a.size, 64m, 67108864",
    "a.size, 2K, ",
    "a.size, 2G, 2147483648",
    "a.size, 1e, 1152921504606846976",
    "a.switch, FALSE, false",
    "a.colour, green, green",
    "a.place, here:1, here:1",
  })
  void readsWhatHadoopReads(String name, String value, String expected) {
    if (expected == null) {
      assertThatThrownBy(() -> read(name, value)).isInstanceOf(InvalidSettingException.class);
    } else {
      assertThat(read(name, value)).hasToString(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.threads  | 0            | a number of threads, 1 to 8",
        "a.threads  | 9            | a number of threads, 1 to 8",
        "a.threads  | 4294967297   | a number of threads, 1 to 8",
        "a.threads  | many         | a number of threads, 1 to 8",
        "a.entries  | -1           | a number of entries, at least 0",
        "a.interval | 0s           | a time such as 500ms, 10s or 5m, 1ms to 1h",
        "a.interval | 61m          | a time such as 500ms, 10s or 5m, 1ms to 1h",
        "a.interval | 1 fortnight  | a time such as 500ms, 10s or 5m, 1ms to 1h",
        "a.size     | 1023k        | a number of bytes such as 4096 or 64m, at least 1m",
        "a.size     | 8e           | a number of bytes such as 4096 or 64m, at least 1m",
        "a.size     | m            | a number of bytes such as 4096 or 64m, at least 1m",
        "a.switch   | yes          | true or false",
        "a.colour   | mauve        | red, green or blue",
      })
  void refusesOthersWithASentence(String name, String value, String rule) {
    assertThatThrownBy(() -> read(name, value))
        .isInstanceOf(InvalidSettingException.class)
        .hasMessage(name + " is " + value + "; it must be " + rule);
  }

  @Test
  void theDefaultHoldsWhereNothingIsSet() {
    assertThat(THREADS.in(name -> null)).isEqualTo(4);
    assertThat(THREADS.in(name -> " ")).isEqualTo(4);
    assertThat(THREADS.in(name -> null, 7)).isEqualTo(7);
    assertThat(THREADS.in(name -> " 2 ", 7)).isEqualTo(2);
    assertThat(PLACE.in(name -> null)).isNull();
  }

  @Test
  void peopleReadUnits() {
    assertThat(ALL)
        .extracting(Setting::defaultText)
        .containsExactly("4", "0", "90s", "64m", "true", "red", "none");
    assertThat(ALL)
        .extracting(Setting::allowed)
        .containsExactly(
            "number of threads, 1 to 8",
            "number of entries, at least 0",
            "time, 1ms to 1h",
            "number of bytes, at least 1m",
            "true or false",
            "red, green or blue",
            "host:port of a server");
  }
}
