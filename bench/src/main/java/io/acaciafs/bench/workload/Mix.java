package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import java.util.SplittableRandom;

/**
 * The calls of a large cluster in 2010: stat 47, open 42, create 3, mkdir 3, rename 2, delete 1.
 * The shares sum up to 98, and are drawn so. Source: Borthakur, "The vertical scalability of the
 * Hadoop NameNode".
 *
 * @param delete when it ends, files are made instead
 */
record Mix(
    SplittableRandom random,
    CallSource stat,
    CallSource open,
    CallSource create,
    CallSource mkdir,
    CallSource rename,
    CallSource delete)
    implements CallSource {
  private static final int ALL = 98;

  @Override
  public Step next(Slot slot) {
    int share = random.nextInt(ALL);
    if (share < 47) {
      return stat.next(slot);
    } else if (share < 89) {
      return open.next(slot);
    } else if (share < 92) {
      return create.next(slot);
    } else if (share < 95) {
      return mkdir.next(slot);
    } else if (share < 97) {
      return rename.next(slot);
    }
    Step deleted = delete.next(slot);
    return deleted == Step.END ? create.next(slot) : deleted;
  }
}
