package io.acaciafs.kv;

/**
 * The store did not answer in time, but may do so later: its servers are down, or on their way.
 * Whether a commit that fails with it took effect is not known; one that is repeated with the same
 * guards takes effect once at most.
 */
public class UnavailableException extends StoreException {
  public UnavailableException(String message) {
    super(message);
  }

  public UnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
