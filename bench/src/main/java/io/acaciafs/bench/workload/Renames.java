package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;

/** Renames the slot's own files in their directory, again and again, there and back. */
final class Renames implements CallSource {
  private static final char HERE = 'f';
  private static final char THERE = 'r';

  private final PathBuffer source = new PathBuffer();
  private final PathBuffer target = new PathBuffer();
  private final Layout layout;
  private final int files;
  private final int slot;
  private final int slots;
  private int next;
  private boolean back;

  /**
   * @param files of all slots; each has some of its own
   */
  Renames(Layout layout, int files, int slot, int slots) {
    if (files < slots) {
      throw new IllegalArgumentException(
          "Each call in flight needs a file of its own to rename: " + files + " files are too few");
    }
    this.layout = layout;
    this.files = files;
    this.slot = slot;
    this.slots = slots;
    next = slot;
  }

  @Override
  public Step next(Slot place) {
    layout.file(source, back ? THERE : HERE, next);
    layout.file(target, back ? HERE : THERE, next);
    place.call(Method.RENAME, source, target);
    next += slots;
    if (next >= files) {
      next = slot;
      back = !back;
    }
    return Step.CALL;
  }
}
