package io.acaciafs.kv.value;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SaturatedTest {
  private static final BigInteger MOST = BigInteger.valueOf(Long.MAX_VALUE);
  private static final BigInteger LEAST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final int TRIES = 100_000;

  @Test
  void isWhatMathematicsSaysUpToTheLimits() {
    Random random = new Random(7);
    for (int i = 0; i < TRIES; i++) {
      long one = draw(random);
      long other = draw(random);
      BigInteger first = BigInteger.valueOf(one);
      BigInteger second = BigInteger.valueOf(other);
      assertThat(Saturated.add(one, other)).isEqualTo(bounded(first.add(second)));
      assertThat(Saturated.multiply(one, other)).isEqualTo(bounded(first.multiply(second)));
    }
  }

  /** Of any size, the limits among them. */
  private static long draw(Random random) {
    long drawn = random.nextLong() >> random.nextInt(Long.SIZE);
    return switch (random.nextInt(20)) {
      case 0 -> Long.MAX_VALUE;
      case 1 -> Long.MIN_VALUE;
      default -> drawn;
    };
  }

  private static long bounded(BigInteger exact) {
    return exact.min(MOST).max(LEAST).longValueExact();
  }
}
