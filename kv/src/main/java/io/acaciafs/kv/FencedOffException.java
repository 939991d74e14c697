package io.acaciafs.kv;

/**
 * Another process has {@linkplain Session#fenceOff fenced off} this one: nothing that it writes
 * takes effect any more. Whether the failed write took effect before that is not known.
 */
public final class FencedOffException extends StoreException {
  private static final long serialVersionUID = 1;

  public FencedOffException(String message) {
    super(message);
  }
}
