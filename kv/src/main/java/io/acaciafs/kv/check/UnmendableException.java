package io.acaciafs.kv.check;

/** A repair finds that something is in its way; the message says what. */
public final class UnmendableException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public UnmendableException(String message) {
    super(message);
  }
}
