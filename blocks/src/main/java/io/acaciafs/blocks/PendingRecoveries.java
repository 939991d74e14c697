package io.acaciafs.blocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which recoveries each DataNode is to be told of with its next heartbeat. Only hints: the truth
 * stands in the blocks' rows, and a recovery that nobody hears of is begun again. Safe for use by
 * many threads.
 */
final class PendingRecoveries {
  /** Where the transaction that gave the hint failed, its row never says what the hint says. */
  private static final long FORGET_MS = 60_000;

  record Hint(long blockId, long recoveryId, long sinceMs) {}

  private final Map<String, Map<Long, Hint>> byDatanode = new ConcurrentHashMap<>();

  void add(String datanodeUuid, Hint hint) {
    byDatanode
        .computeIfAbsent(datanodeUuid, uuid -> new ConcurrentHashMap<>())
        .merge(
            hint.blockId(),
            hint,
            (one, other) -> one.recoveryId() > other.recoveryId() ? one : other);
  }

  /** A DataNode's hints, but those that have become too old. */
  List<Hint> of(String datanodeUuid, long nowMs) {
    Map<Long, Hint> hints = byDatanode.get(datanodeUuid);
    if (hints == null || hints.isEmpty()) {
      return List.of();
    }
    hints.values().removeIf(hint -> nowMs - hint.sinceMs() > FORGET_MS);
    return new ArrayList<>(hints.values());
  }

  void forget(String datanodeUuid, Hint hint) {
    byDatanode.getOrDefault(datanodeUuid, Map.of()).remove(hint.blockId(), hint);
  }
}
