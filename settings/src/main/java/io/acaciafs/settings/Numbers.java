package io.acaciafs.settings;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Numbers as Hadoop's {@code Configuration} reads them: {@code getInt}, {@code getLongBytes} and
 * {@code getTimeDuration} in milliseconds. Stateless; methods throw {@link NumberFormatException}.
 */
final class Numbers {
  private static final String SIZE_UNITS = "kmgtpe";
  private static final int BITS_OF_A_SIZE_UNIT = 10;

  private Numbers() {}

  /** Decimal, or hexadecimal after {@code 0x}. */
  static long whole(String text) {
    String digits = text.startsWith("-") ? text.substring(1) : text;
    if (!digits.startsWith("0x") && !digits.startsWith("0X")) {
      return Long.parseLong(text);
    }
    return Long.parseLong((text.startsWith("-") ? "-" : "") + digits.substring(2), 16);
  }

  /** Bytes, or with k, m, g, t, p or e multiples of powers of 1024. */
  static long bytes(String text) {
    int end = text.length() - 1;
    int unit = end < 0 ? -1 : SIZE_UNITS.indexOf(Character.toLowerCase(text.charAt(end)));
    if (unit < 0) {
      return Long.parseLong(text);
    }
    long number = Long.parseLong(text.substring(0, end));
    int bits = BITS_OF_A_SIZE_UNIT * (unit + 1);
    if (number << bits >> bits != number) {
      throw new NumberFormatException("Too large: " + text);
    }
    return number << bits;
  }

  static String bytesText(long bytes) {
    long rest = bytes;
    int unit = -1;
    while (rest != 0 && rest % 1024 == 0 && unit + 1 < SIZE_UNITS.length()) {
      rest /= 1024;
      unit++;
    }
    return unit < 0 ? Long.toString(bytes) : rest + SIZE_UNITS.substring(unit, unit + 1);
  }

  /** Milliseconds, or with ns, us, ms, s, m, h or d multiples of these units. */
  static long timeMs(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    for (Unit unit : Unit.values()) {
      if (lower.endsWith(unit.suffix)) {
        String number = lower.substring(0, lower.length() - unit.suffix.length());
        return unit.unit.toMillis(Long.parseLong(number));
      }
    }
    return Long.parseLong(lower);
  }

  static String timeText(long ms) {
    Unit best = Unit.MILLISECONDS;
    for (Unit unit : Unit.values()) {
      long unitMs = unit.unit.toMillis(1);
      if (ms != 0 && unitMs > best.unit.toMillis(1) && ms % unitMs == 0) {
        best = unit;
      }
    }
    return best.unit.convert(ms, TimeUnit.MILLISECONDS) + best.suffix;
  }

  /** Those with longer suffixes first: "ms" ends in "s". */
  private enum Unit {
    NANOSECONDS("ns", TimeUnit.NANOSECONDS),
    MICROSECONDS("us", TimeUnit.MICROSECONDS),
    MILLISECONDS("ms", TimeUnit.MILLISECONDS),
    SECONDS("s", TimeUnit.SECONDS),
    MINUTES("m", TimeUnit.MINUTES),
    HOURS("h", TimeUnit.HOURS),
    DAYS("d", TimeUnit.DAYS);

    private final String suffix;
    private final TimeUnit unit;

    Unit(String suffix, TimeUnit unit) {
      this.suffix = suffix;
      this.unit = unit;
    }
  }
}
