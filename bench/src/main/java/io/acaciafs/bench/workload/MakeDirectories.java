package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;

/** Makes the directories of a layout, each once. */
final class MakeDirectories implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final Layout layout;
  private final int stride;
  private int next;

  MakeDirectories(Layout layout, int slot, int slots) {
    this.layout = layout;
    this.stride = slots;
    next = slot;
  }

  @Override
  public Step next(Slot slot) {
    if (next >= layout.directories()) {
      return Step.END;
    }
    slot.call(Method.MKDIRS, layout.directory(path, next));
    next += stride;
    return Step.CALL;
  }
}
