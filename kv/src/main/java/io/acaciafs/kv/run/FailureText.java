package io.acaciafs.kv.run;

import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says to a person. Many exceptions have no message, so a text that is made of
 * {@code getMessage()} ends in "null". Stateless.
 */
public final class FailureText {
  private FailureText() {}

  /** One line: the first of the message, or what the kind of failure means if it has none. */
  public static String of(Throwable failure) {
    @Nullable String message = failure.getMessage();
    @Nullable Throwable cause = failure.getCause();
    boolean isWrapper =
        failure instanceof ExecutionException || failure instanceof CompletionException;
    if (cause != null && (isWrapper || message == null)) {
      return of(cause);
    }
    if (message != null && !message.isBlank()) {
      return message.strip().lines().findFirst().orElseThrow();
    }
    return failure instanceof TimeoutException
        ? "no answer in time"
        : failure.getClass().getSimpleName();
  }
}
