package io.acaciafs.namespace.quota;

import io.acaciafs.namespace.record.QuotaCounts;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What operations under way in this process are about to use of each quota. With one NameNode this
 * makes quotas exact although nothing guards what is used: an operation that adds up what is stored
 * and what is reserved, after he has reserved his own part, overlooks nobody. Safe for use by many
 * threads.
 */
public final class QuotaReservations {
  private final Map<Long, QuotaCounts> reserved = new HashMap<>();

  /**
   * @return all that is reserved of this directory's quota now
   */
  private synchronized QuotaCounts add(long directoryId, QuotaCounts counts) {
    return reserved.merge(directoryId, counts, QuotaCounts::plus);
  }

  private synchronized void remove(long directoryId, QuotaCounts counts) {
    QuotaCounts left =
        Objects.requireNonNull(reserved.get(directoryId), "it was reserved").plus(counts.negated());
    if (left.equals(QuotaCounts.ZERO)) {
      reserved.remove(directoryId);
    } else {
      reserved.put(directoryId, left);
    }
  }

  public Hold hold() {
    return new Hold();
  }

  /** The reservations of one operation, which gives them back when its commit is done. */
  public final class Hold {
    private final Map<Long, QuotaCounts> held = new HashMap<>();

    private Hold() {}

    /** At most once a directory between two releases. */
    synchronized QuotaCounts reserve(long directoryId, QuotaCounts counts) {
      held.put(directoryId, counts);
      return add(directoryId, counts);
    }

    public synchronized void release() {
      held.forEach(QuotaReservations.this::remove);
      held.clear();
    }
  }
}
