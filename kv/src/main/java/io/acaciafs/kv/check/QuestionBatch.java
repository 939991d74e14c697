package io.acaciafs.kv.check;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.WouldBlockException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Answers questions together, where each read takes a network round trip. Each question runs until
 * it misses a row. The batch reads all missing rows at once, and runs the questions that missed a
 * row again. So the number of consecutive reads is that of one question. For one thread.
 */
final class QuestionBatch implements Reader {
  private static final int MOST_AT_ONCE = 1_000;

  private final Store store;
  private final Map<Key, byte[]> known = new HashMap<>();
  private final Set<Key> missing = new LinkedHashSet<>();
  private List<Asked> open = new ArrayList<>();

  /**
   * @param then run where the answer is bad
   */
  private record Asked(Question question, Runnable then) {}

  QuestionBatch(Store store) {
    this.store = store;
  }

  /** A row that another reader has read. */
  void know(Row row) {
    known.put(row.key(), row.value());
  }

  /** Rows that questions are likely to need. */
  void expect(List<Key> keys) {
    keys.stream().filter(key -> !known.containsKey(key)).forEach(missing::add);
  }

  /** Will ask. */
  void add(Question question, Runnable then) {
    open.add(new Asked(question, then));
  }

  /** Asks all that are still to be asked, those included that are added meanwhile. */
  void answer() throws InterruptedException {
    while (!open.isEmpty()) {
      readMissing();
      List<Asked> round = open;
      open = new ArrayList<>();
      List<Asked> unanswered = new ArrayList<>();
      for (Asked asked : round) {
        boolean[] isBad = {false};
        try {
          asked.question.ask(this, finding -> isBad[0] = true);
        } catch (WouldBlockException e) {
          unanswered.add(asked);
          continue;
        }
        if (isBad[0]) {
          asked.then.run();
        }
      }
      open.addAll(unanswered);
    }
  }

  private void readMissing() {
    List<Key> keys = new ArrayList<>(missing);
    missing.clear();
    for (int from = 0; from < keys.size(); from += MOST_AT_ONCE) {
      List<Key> together = keys.subList(from, Math.min(keys.size(), from + MOST_AT_ONCE));
      Transaction transaction = store.begin();
      transaction.remoteReads().prefetch(together);
      together.forEach(key -> known.put(key, transaction.unguarded().get(key)));
    }
  }

  @Override
  public byte @Nullable [] get(Key key) {
    byte[] value = known.get(key);
    if (value == null && !known.containsKey(key)) {
      missing.add(key);
      throw new WouldBlockException();
    }
    return value;
  }

  @Override
  public Scan scan(KeyRange range) {
    return store.scan(range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    return store.scan(range, rows);
  }
}
