package io.acaciafs.namespace.model;

/** A block of the model. An id of 0 is not known yet. */
final class ModelBlock {
  /** What its writer or a recovery does with it. */
  enum State {
    WRITTEN,
    COMMITTED,
    RECOVERING
  }

  private static final long FIRST_STAMP = 1001;

  long id;
  long length;
  State state = State.WRITTEN;
  long stamp = FIRST_STAMP;

  /** The highest stamp that anybody was given. */
  long issued = FIRST_STAMP;

  /** What the DataNodes are known to have: it gets no shorter. */
  long known;

  long recoveryId;
  long truncateTo;

  ModelBlock copy() {
    ModelBlock copy = new ModelBlock();
    copy.id = id;
    copy.length = length;
    copy.state = state;
    copy.stamp = stamp;
    copy.issued = issued;
    copy.known = known;
    copy.recoveryId = recoveryId;
    copy.truncateTo = truncateTo;
    return copy;
  }

  /** What the DataNodes' side knows of it. */
  String describe() {
    return state + "/" + stamp + "/" + known + "/" + issued + "/" + recoveryId + "/" + truncateTo;
  }

  void recover(long newTruncateTo) {
    if (state != State.RECOVERING) {
      state = State.RECOVERING;
      recoveryId = ++issued;
      truncateTo = newTruncateTo;
    }
  }

  void commit(long newStamp, long newLength) {
    state = State.COMMITTED;
    stamp = newStamp;
    length = newLength;
    known = newLength;
    recoveryId = 0;
    truncateTo = 0;
  }
}
