package io.acaciafs.namespace;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Which directories of the cache are certainly as they were read, although nobody asks the store:
 * where several processes run operations on one store, whoever changes a directory first has all of
 * them {@linkplain #block block} it, and only then commits.
 *
 * <p>Who reads a directory takes a {@link Token} for it, if it is not blocked; a block takes the
 * token's force away. An operation that only reads may rest on tokens, and asks at its end, when
 * everything is read, whether they {@linkplain #stillHold still hold} and the lease of this process
 * does: if so, nothing that it rested on has changed until that moment. So nobody has to wait for
 * operations under way before he confirms a block. What writes is guarded in the store instead: a
 * write that is sent already cannot be called back when the lease ends.
 *
 * <p>Safe for use by many threads.
 */
public final class DirectoryTrust {
  /** Of what was blocked lately so much is known; who reads for longer gets no token. */
  private static final int REMEMBERED = 10_000;

  private final BooleanSupplier leaseHolds;

  /** Of each directory the one that has force; gone when no cache entry has it. */
  private final Cache<Long, Token> tokens =
      Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

  private final Map<String, Set<Long>> changes = new HashMap<>();
  private final Map<Long, Integer> blocked = new HashMap<>();
  private final LinkedHashMap<Long, Long> lastBlocks = new LinkedHashMap<>();
  private long moment = 1;
  private long forgottenMoment;
  private volatile boolean isOn;

  /**
   * @param leaseHolds whether no other process can have come to take this one for dead
   */
  public DirectoryTrust(BooleanSupplier leaseHolds) {
    this.leaseHolds = leaseHolds;
  }

  /** What an operation may rest on as long as it is valid. */
  static final class Token {
    private volatile boolean isValid = true;

    boolean isValid() {
      return isValid;
    }
  }

  /** From now on all other processes tell this one before they change a directory. */
  public void begin() {
    isOn = true;
  }

  /** Whether it has begun. */
  public boolean isOn() {
    return isOn;
  }

  /** To be taken before a directory is read, and shown with it. */
  synchronized long moment() {
    return moment;
  }

  /**
   * A token for a directory that was read after a moment, if it has not been blocked since.
   *
   * @return null where there is none now
   */
  synchronized Token tokenFor(long directoryId, long readAfter) {
    boolean wasBlocked =
        readAfter < forgottenMoment
            || blocked.containsKey(directoryId)
            || lastBlocks.getOrDefault(directoryId, 0L) >= readAfter;
    return !isOn || wasBlocked ? null : tokens.get(directoryId, id -> new Token());
  }

  synchronized boolean isBlocked(long directoryId) {
    return blocked.containsKey(directoryId);
  }

  /** Whether all that an operation rested on was as it was read until after this call began. */
  boolean stillHold(List<Token> used) {
    for (Token token : used) {
      if (!token.isValid) {
        return false;
      }
    }
    return leaseHolds.getAsBoolean();
  }

  /**
   * Somebody is about to change directories: from now on nothing rests on them, nor on what is
   * cached below them.
   *
   * @param change a name that no other change has; the same one again does nothing
   */
  public synchronized void block(String change, Collection<Long> directoryIds) {
    if (changes.putIfAbsent(change, Set.copyOf(directoryIds)) != null) {
      return;
    }
    Set<Long> ids = changes.get(change);
    for (long id : ids) {
      blocked.merge(id, 1, Integer::sum);
      Token token = tokens.asMap().remove(id);
      if (token != null) {
        token.isValid = false;
      }
    }
    note(ids);
  }

  /** Who reads one of these before this moment gets no token for it after. */
  private void note(Set<Long> ids) {
    for (long id : ids) {
      lastBlocks.remove(id);
      lastBlocks.put(id, moment);
    }
    moment++;
    while (lastBlocks.size() > REMEMBERED) {
      Map.Entry<Long, Long> oldest = lastBlocks.entrySet().iterator().next();
      forgottenMoment = Math.max(forgottenMoment, oldest.getValue() + 1);
      lastBlocks.remove(oldest.getKey());
    }
  }

  /**
   * The change is committed, or will never be: these directories may be read and trusted again. A
   * change of which that is not known stays.
   */
  public synchronized void unblock(String change) {
    Set<Long> ids = changes.remove(change);
    if (ids != null) {
      ids.forEach(id -> blocked.computeIfPresent(id, (same, n) -> n == 1 ? null : n - 1));
      note(ids);
    }
  }

  /** The changes whose end this process was not told; for one that joins. */
  public synchronized Map<String, List<Long>> blocks() {
    Map<String, List<Long>> all = new HashMap<>();
    changes.forEach((change, ids) -> all.put(change, new ArrayList<>(ids)));
    return all;
  }
}
