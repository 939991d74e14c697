package io.acaciafs.bench.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * When a run is measured.
 *
 * @param warmUp before that
 * @param limit after which no new operations begin; null: the sources end by themselves
 */
public record Span(Duration warmUp, @Nullable Duration limit) {

  /** From the first call to the last. */
  public static Span whole() {
    return new Span(Duration.ZERO, null);
  }
}
