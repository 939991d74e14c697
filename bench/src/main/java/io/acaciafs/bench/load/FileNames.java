package io.acaciafs.bench.load;

import java.util.Arrays;

/**
 * Names as jobs give them, made from numbers: of the directories, two fifths hold the parts that
 * one job wrote, with its UUID, one fifth parts with a UUID each, one fifth logs, and one fifth
 * plain numbers. Their order is that of the numbers, and all come behind the names of directories.
 * Used by one thread.
 */
final class FileNames {
  private static final byte[] HEX = {
    '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'
  };
  private static final int STYLES = 5;
  private static final int LONGEST = 96;
  private static final int DIGITS = 8;
  private static final int[] UUID_PARTS = {8, 4, 4, 4, 12};

  private final byte[] name = new byte[LONGEST];
  private int length;

  /** The name of a file, always the same. */
  byte[] name(int directory, long indexInDirectory) {
    long seed = FileSizes.mix(directory);
    length = 0;
    switch ((int) Long.remainderUnsigned(seed, STYLES)) {
      case 0, 1 -> part(indexInDirectory, seed, "-c000.snappy.parquet");
      case 2 -> part(indexInDirectory, seed + 1 + indexInDirectory, ".snappy.parquet");
      case 3 -> {
        text("events-2026-");
        number(1 + (seed >>> 8 & 7), 2);
        text("-");
        number(1 + (seed >>> 16 & 15), 2);
        text("-");
        number(indexInDirectory, DIGITS);
        text(".");
        hex(FileSizes.mix(seed + 1 + indexInDirectory), 8);
        text(".json.gz");
      }
      default -> {
        text("f");
        number(indexInDirectory, DIGITS);
        text("_0.orc");
      }
    }
    return Arrays.copyOf(name, length);
  }

  private void part(long index, long seed, String suffix) {
    text("part-");
    number(index, DIGITS);
    long high = FileSizes.mix(seed);
    long low = FileSizes.mix(high);
    for (int i = 0; i < UUID_PARTS.length; i++) {
      text("-");
      hex(i < 3 ? high >>> 16 * i : low >>> 16 * (i - 3), UUID_PARTS[i]);
    }
    text(suffix);
  }

  private void text(String text) {
    for (int i = 0; i < text.length(); i++) {
      name[length++] = (byte) text.charAt(i);
    }
  }

  private void number(long number, int digits) {
    long rest = number;
    for (int i = digits - 1; i >= 0; i--) {
      name[length + i] = (byte) ('0' + rest % 10);
      rest /= 10;
    }
    length += digits;
  }

  private void hex(long value, int digits) {
    long rest = value;
    for (int i = 0; i < digits; i++) {
      name[length++] = HEX[(int) (rest & 15)];
      rest >>>= 4;
    }
  }
}
