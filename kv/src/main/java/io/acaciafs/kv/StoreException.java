package io.acaciafs.kv;

/**
 * The store cannot answer: a disk error, a lost server, bytes that make no sense. Whether a commit
 * that fails with it took effect is not known.
 */
public class StoreException extends RuntimeException {
  public StoreException(String message) {
    super(message);
  }

  public StoreException(String message, Throwable cause) {
    super(message, cause);
  }
}
