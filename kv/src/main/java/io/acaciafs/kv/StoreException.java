package io.acaciafs.kv;

import org.jspecify.annotations.Nullable;

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

  /** The first of a kind among a failure and its causes; null for none. */
  public static <T extends StoreException> @Nullable T find(Throwable failure, Class<T> kind) {
    @Nullable Throwable next = failure;
    while (next != null && !kind.isInstance(next)) {
      next = next.getCause();
    }
    return kind.cast(next);
  }
}
