package io.acaciafs.bench.workload;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Method;
import io.acaciafs.bench.client.PathBuffer;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;

/** One call about each file, until there are no more names. */
final class CallsInOrder implements CallSource {
  private final PathBuffer path = new PathBuffer();
  private final Method method;
  private final FileNames names;
  private int next;

  CallsInOrder(Method method, FileNames names) {
    this.method = method;
    this.names = names;
  }

  @Override
  public Step next(Slot slot) {
    if (names.of(path, next) == null) {
      return Step.END;
    }
    next++;
    slot.call(method, path);
    return Step.CALL;
  }
}
