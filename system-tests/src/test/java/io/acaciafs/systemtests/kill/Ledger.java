package io.acaciafs.systemtests.kill;

import io.acaciafs.systemtests.harness.Content;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What one writer knows for sure about its paths, from the answers that it got. Used by one thread
 * at a time. A path that is not in it may be there or not.
 */
final class Ledger {

  /** What must be found at a path. */
  sealed interface Expectation {

    /** A closed file with this content. */
    record Closed(Content content) implements Expectation {}

    /** A file whose close was not answered. */
    record Created() implements Expectation {}

    /** Nothing: renamed away or deleted. */
    record Absent() implements Expectation {}

    /** A closed file, here or at the other path: its rename was not answered. */
    record HereOr(String other, Content content) implements Expectation {}
  }

  private final Map<String, Expectation> expectations = new LinkedHashMap<>();

  void created(String path) {
    expectations.put(path, new Expectation.Created());
  }

  void closed(String path, Content content) {
    expectations.put(path, new Expectation.Closed(content));
  }

  /** To be called before a rename is sent. */
  void renaming(String source, String target, Content content) {
    expectations.put(source, new Expectation.HereOr(target, content));
  }

  void renamed(String source, String target, Content content) {
    expectations.put(source, new Expectation.Absent());
    expectations.put(target, new Expectation.Closed(content));
  }

  /** To be called before a delete is sent. */
  void deleting(String path) {
    expectations.remove(path);
  }

  void deleted(String path) {
    expectations.put(path, new Expectation.Absent());
  }

  Map<String, Expectation> expectations() {
    return expectations;
  }
}
