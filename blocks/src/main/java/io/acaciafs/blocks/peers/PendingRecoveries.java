package io.acaciafs.blocks.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which recoveries each DataNode is to be told of with its next heartbeat. Only hints: the truth
 * stands in the blocks' rows, and a recovery that nobody hears of is begun again. Safe for use by
 * many threads.
 */
public final class PendingRecoveries {
  /** Where the transaction that gave the hint failed, its row never says what the hint says. */
  private static final long FORGET_MS = 60_000;

  /**
   * @param primary the storage whose DataNode leads it
   */
  public record Hint(long blockId, long recoveryId, int primary, long sinceMs) {}

  private final Map<String, Map<Long, Hint>> byDatanode = new ConcurrentHashMap<>();

  /** Of those that other NameNodes gave: their DataNodes have been told. */
  private final Map<Long, Hint> told = new ConcurrentHashMap<>();

  public void add(String datanodeUuid, Hint hint) {
    byDatanode
        .computeIfAbsent(datanodeUuid, uuid -> new ConcurrentHashMap<>())
        .merge(
            hint.blockId(),
            hint,
            (one, other) -> one.recoveryId() > other.recoveryId() ? one : other);
  }

  /** Another NameNode began a recovery; it may say so more than once. */
  void heard(String datanodeUuid, Hint hint) {
    told.values().removeIf(old -> hint.sinceMs() - old.sinceMs() > FORGET_MS);
    Hint last = told.get(hint.blockId());
    if (last == null || last.recoveryId() < hint.recoveryId()) {
      add(datanodeUuid, hint);
    }
  }

  /** A DataNode's hints from this time on. */
  List<Hint> since(String datanodeUuid, long sinceMs) {
    return byDatanode.getOrDefault(datanodeUuid, Map.of()).values().stream()
        .filter(hint -> hint.sinceMs() >= sinceMs)
        .toList();
  }

  /** A DataNode's hints, but those that have become too old. */
  public List<Hint> of(String datanodeUuid, long nowMs) {
    Map<Long, Hint> hints = byDatanode.get(datanodeUuid);
    if (hints == null || hints.isEmpty()) {
      return List.of();
    }
    hints.values().removeIf(hint -> nowMs - hint.sinceMs() > FORGET_MS);
    return new ArrayList<>(hints.values());
  }

  public void forget(String datanodeUuid, Hint hint) {
    told.put(hint.blockId(), hint);
    byDatanode.getOrDefault(datanodeUuid, Map.of()).remove(hint.blockId(), hint);
  }
}
