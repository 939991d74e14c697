package io.acaciafs.rpc;

/**
 * A method that runs on a {@linkplain RpcCall#networkThread network thread} has to wait for what it
 * needs. It is called again on a worker; nobody's failure, so it carries no stack trace.
 */
public final class MustWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MustWaitException() {
    super("This call has to wait", null, false, false);
  }
}
