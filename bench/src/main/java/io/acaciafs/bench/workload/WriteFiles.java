package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import io.netty.buffer.ByteBuf;

/** Writes empty files as a client does: create and complete. */
final class WriteFiles implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final FileNames names;
  private boolean created;
  private int next;

  WriteFiles(FileNames names) {
    this.names = names;
  }

  @Override
  public Step next(Slot slot) {
    if (created) {
      slot.call(Method.COMPLETE, path);
      return Step.CALL;
    }
    if (names.of(path, next) == null) {
      return Step.END;
    }
    next++;
    slot.call(Method.CREATE, path);
    return Step.CALL;
  }

  @Override
  public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    created = !created;
    return !created;
  }

  @Override
  public void failed() {
    created = false;
  }
}
