package io.acaciafs.bench.load;

/**
 * Lengths of files, drawn by their number. Source: JindoFS's set of a billion files (per cent of
 * all inodes): empty 2.40, up to 128 KB 33.66, 1 MB 16.71, 8 MB 15.49, 64 MB 18.18, 512 MB 9.26,
 * larger 2.82. Stateless.
 */
final class FileSizes {
  private static final long KB = 1024;
  private static final long MB = 1024 * KB;

  /** A file is one block, so none is larger. */
  private static final long LARGEST_BYTES = 1024 * MB;

  private static final double EMPTY = 2.40;
  private static final double[] SHARES = {33.66, 16.71, 15.49, 18.18, 9.26, 2.82};
  private static final long[] LIMITS_BYTES = {
    128 * KB, MB, 8 * MB, 64 * MB, 512 * MB, LARGEST_BYTES
  };
  private static final double ALL;

  static {
    double all = EMPTY;
    for (double share : SHARES) {
      all += share;
    }
    ALL = all;
  }

  private FileSizes() {}

  /** The length of this file, always the same. */
  static long lengthBytes(long file) {
    long random = mix(file);
    double drawn = (random >>> 11) * 0x1.0p-53 * ALL - EMPTY;
    if (drawn < 0) {
      return 0;
    }
    long from = 0;
    for (int i = 0; i < SHARES.length; i++) {
      if (drawn < SHARES[i]) {
        return from + 1 + (long) (drawn / SHARES[i] * (LIMITS_BYTES[i] - from));
      }
      drawn -= SHARES[i];
      from = LIMITS_BYTES[i];
    }
    return LARGEST_BYTES;
  }

  /** The finalizer of SplitMix64. */
  static long mix(long value) {
    long z = value * 0x9e3779b97f4a7c15L;
    z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
