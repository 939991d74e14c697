package io.acaciafs.settings;

import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;

/**
 * Which values a setting may have, and how people write them. Immutable.
 *
 * @param allowed what is allowed, for a table
 * @param rule the same for a sentence: {@code it must be ...}
 * @param parser makes a value of a text without blanks around it, and throws {@link
 *     IllegalArgumentException} for what is not allowed
 * @param format the way back
 */
record SettingType<T>(
    String allowed, String rule, Function<String, T> parser, Function<T, String> format) {

  static SettingType<Integer> ofInt(Range range, String unit) {
    Range ints = new Range(range.least(), Math.min(range.most(), Integer.MAX_VALUE));
    String allowed = "number of " + unit + ", " + range.text(Long::toString);
    return new SettingType<>(
        allowed,
        "a " + allowed,
        text -> (int) requireIn(ints, Numbers.whole(text)),
        value -> Integer.toString(value));
  }

  static SettingType<Long> ofLong(Range range, String unit) {
    return numbers("number of " + unit, "", range, Numbers::whole, Long::toString);
  }

  static SettingType<Long> ofTimeMs(Range range) {
    return numbers("time", " such as 500ms, 10s or 5m", range, Numbers::timeMs, Numbers::timeText);
  }

  static SettingType<Long> ofBytes(Range range) {
    return numbers(
        "number of bytes", " such as 4096 or 64m", range, Numbers::bytes, Numbers::bytesText);
  }

  private static SettingType<Long> numbers(
      String kind,
      String example,
      Range range,
      ToLongFunction<String> parser,
      LongFunction<String> format) {
    String limits = ", " + range.text(format);
    return new SettingType<>(
        kind + limits,
        "a " + kind + example + limits,
        text -> requireIn(range, parser.applyAsLong(text)),
        format::apply);
  }

  private static long requireIn(Range range, long value) {
    if (!range.contains(value)) {
      throw new IllegalArgumentException("Out of range: " + value);
    }
    return value;
  }

  static SettingType<Boolean> ofBoolean() {
    return ofChoice(List.of(true, false));
  }

  /** One of some values, each written as its lower-case text. */
  static <T> SettingType<T> ofChoice(List<T> values) {
    List<String> words = values.stream().map(SettingType::word).toList();
    int last = words.size() - 1;
    String allowed =
        last == 0
            ? words.get(0)
            : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    return new SettingType<>(allowed, allowed, text -> chosen(values, text), SettingType::word);
  }

  private static <T> T chosen(List<T> values, String text) {
    for (T value : values) {
      if (word(value).equalsIgnoreCase(text)) {
        return value;
      }
    }
    throw new IllegalArgumentException("None of " + values + ": " + text);
  }

  private static String word(Object value) {
    return value.toString().toLowerCase(Locale.ROOT);
  }

  static SettingType<String> ofText(String kind) {
    return new SettingType<>(kind, "the " + kind, Function.identity(), Function.identity());
  }
}
