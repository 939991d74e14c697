package io.acaciafs.kv;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a {@linkplain Store#beginNonBlocking non-blocking} transaction was to read is not at hand.
 * It is the way of a transaction that waits for something, and nobody's failure, so it carries no
 * stack trace.
 */
public final class WouldBlockException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient @Nullable CompletableFuture<?> arrival;

  /**
   * @param arrival completes when the same transaction finds it at hand, or fails as the read does
   */
  public WouldBlockException(CompletableFuture<?> arrival) {
    super("A row is on its way", null, false, false);
    this.arrival = arrival;
  }

  /** For what can only be had by waiting for it. */
  public WouldBlockException() {
    super("This can only be read where one may wait", null, false, false);
    this.arrival = null;
  }

  /** Null: nothing is on its way. */
  public @Nullable CompletableFuture<?> arrival() {
    return arrival;
  }
}
