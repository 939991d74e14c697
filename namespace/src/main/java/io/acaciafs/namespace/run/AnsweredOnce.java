package io.acaciafs.namespace.run;

import io.acaciafs.namespace.context.CallId;
import io.acaciafs.namespace.context.Caller;
import io.acaciafs.namespace.record.Locator;
import org.jspecify.annotations.Nullable;

/**
 * A call that takes effect once, over all its attempts in this process. Used by one thread at a
 * time.
 */
final class AnsweredOnce {
  private final CallId id;

  /** The directory that the latest attempt would leave its answer in; null before the first. */
  private @Nullable Locator directory;

  private AnsweredOnce(CallId id) {
    this.id = id;
  }

  /** Null for an operation that may take effect twice, and for a call without an id. */
  static @Nullable AnsweredOnce of(Caller caller, NamespaceOperation<?> operation) {
    CallId id = caller.call();
    return operation instanceof AtMostOnce && id != null ? new AnsweredOnce(id) : null;
  }

  CallId id() {
    return id;
  }

  /**
   * An attempt is led to a directory.
   *
   * @return whether the one before, which met a conflict, was led to another one
   */
  boolean isLedElsewhere(Locator now) {
    Locator before = directory;
    directory = now;
    return before != null && !before.equals(now);
  }
}
