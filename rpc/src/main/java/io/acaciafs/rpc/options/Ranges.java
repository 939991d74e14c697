package io.acaciafs.rpc.options;

/** Checks values of options. */
final class Ranges {
  private Ranges() {}

  static void atLeast(long least, long value, String name) {
    if (value < least) {
      throw new IllegalArgumentException(name + " must be at least " + least + ", is " + value);
    }
  }
}
