package io.acaciafs.rpc.protocol;

/**
 * A method that runs on a {@linkplain RpcCall#networkThread network thread} has to wait for what it
 * needs, so the server calls it again on a worker. This is no failure, so it has no stack trace.
 */
public final class MustWaitException extends RuntimeException {
  private static final long serialVersionUID = 1;

  public MustWaitException() {
    super("This call has to wait", null, false, false);
  }
}
