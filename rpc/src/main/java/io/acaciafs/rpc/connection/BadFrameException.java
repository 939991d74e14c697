package io.acaciafs.rpc.connection;

/** The bytes of a connection are no frames: nothing that follows them can be understood. */
final class BadFrameException extends Exception {
  BadFrameException(String message) {
    super(message, null, false, false);
  }
}
