package io.acaciafs.bench.ha;

import io.acaciafs.bench.client.CallSource;
import io.acaciafs.bench.client.Slot;
import io.acaciafs.bench.client.Step;
import io.netty.buffer.ByteBuf;
import java.util.function.BooleanSupplier;

/** The calls of another source until one of them is refused, or all are to end. */
final class UntilRefused implements CallSource {
  private final CallSource calls;
  private final Runnable onOperation;
  private final BooleanSupplier ends;
  private boolean isRefused;

  /**
   * @param onOperation run when an operation has ended well
   * @param ends whether there are to be no more calls
   */
  UntilRefused(CallSource calls, Runnable onOperation, BooleanSupplier ends) {
    this.calls = calls;
    this.onOperation = onOperation;
    this.ends = ends;
  }

  @Override
  public Step next(Slot slot) {
    return isRefused || ends.getAsBoolean() ? Step.END : calls.next(slot);
  }

  @Override
  public boolean answered(Slot slot, ByteBuf in, int lengthBytes) {
    boolean ended = calls.answered(slot, in, lengthBytes);
    if (ended) {
      onOperation.run();
    }
    return ended;
  }

  @Override
  public void failed() {
    isRefused = true;
    calls.failed();
  }
}
