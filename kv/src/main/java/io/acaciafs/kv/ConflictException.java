package io.acaciafs.kv;

/**
 * A guarded row changed before the commit; nothing was written, and the operation may be run again.
 * Has no stack trace, as it is part of normal work.
 */
public final class ConflictException extends RuntimeException {
  public ConflictException(Key key) {
    super("Row changed: " + key, null, false, false);
  }
}
