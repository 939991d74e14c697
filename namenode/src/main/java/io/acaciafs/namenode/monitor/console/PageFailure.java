package io.acaciafs.namenode.monitor.console;

import io.acaciafs.kv.run.FailureText;
import io.acaciafs.web.JsonPart.Answer;
import java.util.Map;

/** The answer of a page that cannot be made now. Stateless. */
final class PageFailure {
  private static final int UNAVAILABLE = 503;

  private PageFailure() {}

  /** A sentence for people. */
  static Answer of(Throwable failure) {
    return new Answer(UNAVAILABLE, Map.of("problem", FailureText.of(failure)));
  }
}
