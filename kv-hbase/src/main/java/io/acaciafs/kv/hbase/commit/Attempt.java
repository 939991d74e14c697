package io.acaciafs.kv.hbase.commit;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.hbase.client.Failures;
import io.acaciafs.kv.hbase.client.Outcome;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What came of trying a commit once, where it did not fail for good.
 *
 * @param isDone it took effect; else nothing was written, and the rows have to be read again
 * @param why it is to be tried again
 * @param cause what HBase's client said; null where HBase answered
 */
public record Attempt(boolean isDone, String why, @Nullable Throwable cause) {
  public static final Attempt DONE = new Attempt(true, "", null);

  static final Attempt LOCKED = again("another transaction has locked a row");
  static final Attempt MOVED = again("regions have moved since they were looked at");
  static final Attempt UNSTEADY = again("rows went on changing while they were checked");
  static final Attempt ENDED = again("another process has ended the transaction");

  private static final int MOST_KEYS = 8;

  private static Attempt again(String why) {
    return new Attempt(false, why, null);
  }

  /** After an outcome that is not the one that was wanted. */
  static Attempt again(Outcome outcome) {
    if (outcome instanceof Outcome.NotServed notServed) {
      return new Attempt(false, "no region served it", notServed.cause());
    }
    return outcome instanceof Outcome.Unknown unknown
        ? new Attempt(false, "a reply was lost", unknown.cause())
        : again("another transaction has changed or locked a row");
  }

  /** For a person. */
  String reason() {
    return cause == null ? why : why + ": " + Failures.reason(cause);
  }

  /**
   * What an operator is to see below the failure of a commit.
   *
   * @param rows of the commit
   */
  Throwable causeFor(Collection<RowPlan> rows) {
    if (cause != null) {
      return cause;
    }
    String keys =
        rows.stream()
            .limit(MOST_KEYS)
            .map(row -> row.key().toString())
            .collect(Collectors.joining(", "));
    String more = rows.size() > MOST_KEYS ? " and others" : "";
    return new StoreException("When it was tried last, " + why + ", one of " + keys + more);
  }
}
