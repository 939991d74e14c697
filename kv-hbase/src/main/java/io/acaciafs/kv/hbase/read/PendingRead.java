package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.region.Assignment;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Something that is to be read in one region, as often as it takes. For one thread at a time. */
abstract class PendingRead {
  private final byte[] row;
  private final boolean isOwn;
  private final long deadlineNs;
  private @Nullable Assignment assignment;
  private @Nullable Throwable failure;
  private int attempts;

  /** An answer is here, and is to be believed when it is proven. */
  private boolean awaitsProof;

  /**
   * @param row of the region
   * @param isOwn whether it is of rows that are written although others may not know of their
   *     region's assignment: what is read of them counts only with a proof
   */
  PendingRead(byte[] row, boolean isOwn, long patienceMs) {
    this.row = row;
    this.isOwn = isOwn;
    this.deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(patienceMs);
  }

  final byte[] row() {
    return row;
  }

  final boolean isOwn() {
    return isOwn;
  }

  final boolean isOver() {
    return System.nanoTime() - deadlineNs > 0;
  }

  /** By which it was sent last; null before the first time. */
  final @Nullable Assignment assignment() {
    return assignment;
  }

  /** By which it is to be sent. */
  final Assignment usedAssignment() {
    return Objects.requireNonNull(assignment, "its server is known");
  }

  final void useAssignment(@Nullable Assignment next) {
    assignment = next;
  }

  /** The failure of the last attempt; null if there was none. */
  final @Nullable Throwable failure() {
    return failure;
  }

  final void note(Throwable why) {
    failure = why;
  }

  /** How often it was tried before. */
  final int nextAttempt() {
    return attempts++;
  }

  final boolean awaitsProof() {
    return awaitsProof;
  }

  final void awaitProof(boolean isSo) {
    awaitsProof = isSo;
  }

  abstract boolean isDone();

  /** It will not be read. */
  abstract void fail(Throwable cause);
}
