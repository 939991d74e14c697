package io.acaciafs.rpc.codec;

/** The bytes of a connection are no frames: nothing that follows them can be understood. */
public final class BadFrameException extends Exception {
  public BadFrameException(String message) {
    super(message, null, false, false);
  }
}
