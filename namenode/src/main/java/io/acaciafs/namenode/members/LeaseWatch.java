package io.acaciafs.namenode.members;

import io.acaciafs.kv.Key;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Watches the rows of the other members. A lease has expired when its row stood still for a whole
 * lease, by the clock of this process and while this process looked at it all the time: looks that
 * are far apart start the time anew, as a store that did not answer kept the others from renewing.
 *
 * <p>For one thread at a time.
 */
final class LeaseWatch {
  private final LeaseTimes times;
  private final Consumer<MemberRow> onRenewal;
  private final Map<Key, Observation> observations = new HashMap<>();

  /** A row that did not change: since when, and when that was last seen. */
  private record Observation(byte[] row, long sinceNs, long lastNs) {}

  /**
   * @param onRenewal is given each row that was written since the look before
   */
  LeaseWatch(LeaseTimes times, Consumer<MemberRow> onRenewal) {
    this.times = times;
    this.onRenewal = onRenewal;
  }

  /**
   * Forgets all others.
   *
   * @return of these the rows that nobody had renewed for long when they went: one that ends in
   *     order has renewed its row a moment before
   */
  List<MemberRow> retain(Set<Key> keys) {
    List<MemberRow> silent = new ArrayList<>();
    observations
        .entrySet()
        .removeIf(
            each -> {
              Observation seen = each.getValue();
              boolean isGone = !keys.contains(each.getKey());
              if (isGone && seen.lastNs - seen.sinceNs >= times.leaseNs() / 2) {
                silent.add(MemberRow.decode(seen.row));
              }
              return isGone;
            });
    return silent;
  }

  /**
   * Whether the lease of a row has expired.
   *
   * @param beforeNs before the row was read
   * @param afterNs after that
   */
  boolean hasExpired(Key key, byte[] value, long beforeNs, long afterNs) {
    Observation seen = observations.get(key);
    long sinceNs = afterNs;
    if (seen != null && beforeNs - seen.lastNs <= 2 * times.renewalNs()) {
      if (Arrays.equals(seen.row, value)) {
        sinceNs = seen.sinceNs;
      } else {
        onRenewal.accept(MemberRow.decode(value));
      }
    }
    observations.put(key, new Observation(value, sinceNs, afterNs));
    return beforeNs - sinceNs >= times.leaseNs();
  }
}
