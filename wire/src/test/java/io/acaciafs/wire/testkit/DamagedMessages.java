package io.acaciafs.wire.testkit;

import java.util.Arrays;
import java.util.Random;

/**
 * Messages with bytes changed, dropped or doubled: what reads them by hand must read what the
 * generated class reads, or refuse them.
 */
public final class DamagedMessages {
  private static final int MOST_FIELDS = 26;
  private static final int LENGTH_DELIMITED = 2;

  private final Random random;

  /**
   * @param random with a seed
   */
  public DamagedMessages(Random random) {
    this.random = random;
  }

  /** Another message, which may be the same. */
  public byte[] of(byte[] message) {
    byte[] damaged = message.clone();
    if (random.nextInt(4) == 0) {
      damaged = Arrays.copyOf(message, random.nextInt(message.length + 8));
    } else if (random.nextInt(4) == 0) {
      damaged = withAByteTwice(message);
    }
    for (int i = random.nextInt(3); i > 0 && damaged.length > 0; i--) {
      damaged[random.nextInt(damaged.length)] = anyByte();
    }
    return damaged;
  }

  private byte[] withAByteTwice(byte[] message) {
    if (message.length == 0) {
      return message;
    }
    int at = random.nextInt(message.length);
    byte[] longer = Arrays.copyOf(message, message.length + 1);
    System.arraycopy(message, at, longer, at + 1, message.length - at);
    if (random.nextBoolean()) {
      longer[0]++; // the length of a message that begins with its length
    }
    return longer;
  }

  private byte anyByte() {
    return (byte)
        (random.nextBoolean()
            ? random.nextInt()
            : random.nextInt(MOST_FIELDS) << 3 | LENGTH_DELIMITED);
  }
}
