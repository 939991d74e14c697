package io.acaciafs.kv;

/**
 * This process no longer has a part in the store: another one took its part over. Whether a commit
 * that fails with it took effect is not known here; another process knows.
 */
public class FencedOffException extends StoreException {
  public FencedOffException(String message) {
    super(message);
  }

  public FencedOffException(String message, Throwable cause) {
    super(message, cause);
  }
}
