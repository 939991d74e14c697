package io.acaciafs.kv.value;

/**
 * Sums and products of numbers that clients and DataNodes have given: what is too large for 64 bits
 * is the largest number that there is, and never a small or negative one. Stateless.
 */
public final class Saturated {
  private Saturated() {}

  public static long add(long one, long other) {
    long sum = one + other;
    boolean hasOverflowed = ((one ^ sum) & (other ^ sum)) < 0;
    return hasOverflowed ? limit(one < 0) : sum;
  }

  public static long multiply(long one, long other) {
    long high = Math.multiplyHigh(one, other);
    long low = one * other;
    boolean fits = high == low >> Long.SIZE - 1;
    return fits ? low : limit(one < 0 != other < 0);
  }

  private static long limit(boolean isNegative) {
    return isNegative ? Long.MIN_VALUE : Long.MAX_VALUE;
  }
}
