package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import java.util.SplittableRandom;

/** Asks about files or directories of a layout, chosen evenly at random, without end. */
final class Reads implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final SplittableRandom random;
  private final Method method;
  private final Layout layout;
  private final int files;

  /**
   * @param files how many there are; 0: asks about the directories
   */
  Reads(Method method, Layout layout, int files, SplittableRandom random) {
    this.method = method;
    this.layout = layout;
    this.files = files;
    this.random = random;
  }

  @Override
  public Step next(Slot slot) {
    PathBuffer chosen =
        files == 0
            ? layout.directory(path, random.nextInt(layout.directories()))
            : layout.file(path, 'f', random.nextInt(files));
    slot.call(method, chosen);
    return Step.CALL;
  }
}
