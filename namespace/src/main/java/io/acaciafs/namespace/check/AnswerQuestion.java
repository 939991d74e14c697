package io.acaciafs.namespace.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.check.Finding;
import io.acaciafs.kv.check.Question;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RetryRow;
import java.util.function.Consumer;

/**
 * Whether the answer to a call, or a former directory, will be found when it is to be forgotten.
 */
record AnswerQuestion(Key key) implements Question {
  @Override
  public void ask(Reader reader, Consumer<Finding> findings) {
    byte[] row = reader.get(key);
    if (row == null) {
      return;
    }
    Long timeMs = Rows.decoded(() -> RetryRow.timeMs(key, row));
    if (timeMs == null) {
      findings.accept(
          Finding.damage(
              "unreadable-answer", "key=" + key, "A row for repeated calls cannot be read.", null));
      return;
    }
    Key index =
        NamespaceKeys.retries(
            NamespaceKeys.beginOfRetries(timeMs),
            NamespaceKeys.directoryOf(key),
            NamespaceKeys.bucketOf(key));
    if (reader.get(index) == null) {
      findings.accept(
          Finding.damage(
              "answer-without-index",
              "directory=" + NamespaceKeys.directoryOf(key).directoryId() + " key=" + key,
              "A row for repeated calls would never be forgotten.",
              tx -> tx.put(index, new byte[0])));
    }
  }
}
