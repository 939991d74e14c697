package io.acaciafs.bench.client;

import io.netty.buffer.ByteBuf;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The place of one call in flight: at most one at a time. A call id is {@code first + round * slots
 * + index}, so a reply finds its slot by arithmetic, and no id comes twice on a connection: the
 * server would take it for a retry and answer without doing anything.
 *
 * <p>For the network thread of its connection, but for {@link #resume}.
 */
public final class Slot {
  private static final byte[] NOTHING = {};

  private final Connection connection;
  private final int number;
  private final int stride;
  private int nextCallId;
  private int callIdInFlight;
  private @Nullable Method method;
  private @Nullable CallSource source;
  private long startNanos;
  private boolean midway;

  Slot(Connection connection, int number, int index, int stride) {
    this.connection = connection;
    this.number = number;
    this.stride = stride;
    nextCallId = CallTemplate.FIRST_CALL_ID + index;
  }

  /** From 0, over all connections. */
  public int number() {
    return number;
  }

  /** Writes a call with one path. */
  public void call(Method called, PathBuffer path) {
    call(called, path, null, NOTHING);
  }

  /** Writes a call with two paths. */
  public void call(Method called, PathBuffer path, PathBuffer second) {
    call(called, path, second, NOTHING);
  }

  /** Writes a call with one path and further fields, encoded. */
  public void call(Method called, PathBuffer path, byte[] fields) {
    call(called, path, null, fields);
  }

  private void call(Method called, PathBuffer path, @Nullable PathBuffer second, byte[] fields) {
    if (nextCallId + stride >= CallTemplate.CALL_ID_LIMIT) {
      throw new IllegalStateException("more calls than a connection has call ids");
    }
    method = called;
    callIdInFlight = nextCallId;
    nextCallId += stride;
    connection.write(called, callIdInFlight, path, second, fields);
  }

  /** Goes on after {@link Step#WAIT}; any thread. */
  public void resume() {
    connection.resume(this);
  }

  /** The same after a while. */
  public void resumeAfter(long delayMs) {
    connection.resumeAfter(this, delayMs);
  }

  private CallSource source() {
    return Objects.requireNonNull(source, "the slot is busy");
  }

  private Method called() {
    return Objects.requireNonNull(method, "a call was made");
  }

  boolean isBusy() {
    return source != null;
  }

  boolean isWaitingFor(int callId) {
    return source != null && callIdInFlight == callId;
  }

  void begin(CallSource newSource) {
    source = newSource;
    midway = false;
  }

  void end() {
    source = null;
    callIdInFlight = 0;
  }

  /** Asks for the next call; false: there is none, and the slot is idle. */
  boolean advance(boolean stopping) {
    if (stopping && !midway) {
      end();
      return false;
    }
    if (!midway) {
      startNanos = System.nanoTime();
    }
    midway = true;
    if (source().next(this) == Step.END) {
      end();
      return false;
    }
    return true;
  }

  /** What failed is not carried on with. */
  void abandonOperation() {
    callIdInFlight = 0;
    midway = false;
    source().failed();
  }

  long startNanos() {
    return startNanos;
  }

  /** Takes a reply; whether it ends an operation. */
  boolean answered(ByteBuf in, int lengthBytes) {
    callIdInFlight = 0;
    midway = !source().answered(this, in, lengthBytes);
    return !midway;
  }

  /** What is wrong with a reply that says success, or null. */
  @Nullable String complaint(ByteBuf in, int lengthBytes) {
    return switch (called().expected()) {
      case ANYTHING -> null;
      case SOMETHING -> lengthBytes > 0 ? null : called().wireName() + " found nothing";
      case TRUE ->
          lengthBytes > 0 && in.getByte(in.readerIndex() + lengthBytes - 1) == 1
              ? null
              : called().wireName() + " answered false";
    };
  }
}
