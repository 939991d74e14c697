package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import io.netty.buffer.ByteBuf;

/** Writes an empty file as a client does and deletes it, and then the next one. */
final class MakeAndDelete implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final FileNames names;
  private Method last = Method.DELETE;
  private int next;

  MakeAndDelete(FileNames names) {
    this.names = names;
  }

  @Override
  public Step next(Slot slot) {
    Method method =
        switch (last) {
          case CREATE -> Method.COMPLETE;
          case COMPLETE -> Method.DELETE;
          default -> Method.CREATE;
        };
    if (method == Method.CREATE && names.of(path, next++) == null) {
      return Step.END;
    }
    last = method;
    slot.call(method, path);
    return Step.CALL;
  }

  @Override
  public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    return last == Method.DELETE;
  }

  @Override
  public void failed() {
    last = Method.DELETE;
  }
}
