package io.acaciafs.kv.rocksdb.common;

import io.acaciafs.kv.FencedOffException;
import io.acaciafs.kv.StoreException;

/** What went wrong, with the system's own words at its end: a full disk is to be seen as one. */
public final class Failure {
  private Failure() {}

  /**
   * @param what could not be done, as a sentence without its end
   */
  public static StoreException of(String what, Throwable cause) {
    String reason = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    String text = what + ": " + reason;
    return cause instanceof FencedOffException
        ? new FencedOffException(text, cause)
        : new StoreException(text, cause);
  }
}
