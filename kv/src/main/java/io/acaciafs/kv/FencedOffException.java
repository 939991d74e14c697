package io.acaciafs.kv;

/**
 * Others have {@linkplain Store#fenceOff fenced off} this process: nothing that it writes takes
 * effect any more. Whether what this tells of did before that is not known.
 */
public final class FencedOffException extends StoreException {
  private static final long serialVersionUID = 1;

  public FencedOffException(String message) {
    super(message);
  }
}
