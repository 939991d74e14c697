package io.acaciafs.namespace.lease;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The directories that this process may use as it read them, without asking the store again. Where
 * several processes run operations on one store, a process that changes a directory first has all
 * of them {@linkplain #revoke revoke} the leases on it, and only then commits.
 *
 * <ol>
 *   <li>A process that reads a directory takes a {@link Token} for it, if the directory is not
 *       revoked at the time. A revocation makes the token invalid.
 *   <li>An operation that only reads may rest on tokens. When it has read everything, it asks
 *       whether they {@linkplain #stillHold still hold} and the lease of this process does: then
 *       nothing that it rested on has changed until that moment. So a revocation does not wait for
 *       operations that only read.
 *   <li>An operation that writes {@linkplain #enter enters} with its tokens before its commit, and
 *       {@linkplain Writer#leave leaves} when nothing of it can take effect any more. A revocation
 *       is confirmed when all writers have left that rest on its directories.
 *   <li>A process that does not confirm is waited for until its own lease is over and the store
 *       {@linkplain io.acaciafs.kv.Store#fenceOff takes no more writes of it}.
 * </ol>
 *
 * <p>So a directory does not change before all that rests on it has taken effect, or never will.
 * Safe for use by many threads.
 */
public final class DirectoryLeases {
  /**
   * The number of the latest revocations that are known; a read that takes longer gets no token.
   */
  private static final int REMEMBERED = 10_000;

  private final BooleanSupplier leaseHolds;

  /** Of each directory the one that has force; gone when no cache entry has it. */
  private final Cache<Long, Token> tokens =
      Caffeine.newBuilder().weakValues().executor(Runnable::run).build();

  private final Map<String, Change> changes = new HashMap<>();

  /** By the directories that they rest on. */
  private final Map<Long, Set<Writer>> writers = new HashMap<>();

  private final Map<Long, Integer> revoked = new HashMap<>();
  private final LinkedHashMap<Long, Long> lastRevocations = new LinkedHashMap<>();
  private long moment = 1;
  private long forgottenMoment;
  private volatile boolean isOn;

  /**
   * @param leaseHolds whether no other process can have come to take this one for dead
   */
  public DirectoryLeases(BooleanSupplier leaseHolds) {
    this.leaseHolds = leaseHolds;
  }

  /** What an operation may rest on as long as it is valid. */
  public static final class Token {
    private final long directoryId;
    private volatile boolean isValid = true;

    private Token(long directoryId) {
      this.directoryId = directoryId;
    }

    public boolean isValid() {
      return isValid;
    }
  }

  /**
   * @param confirmed completes when nothing under way here rests on them any more
   */
  private record Change(Set<Long> directoryIds, CompletableFuture<Void> confirmed) {}

  /** An operation that is being committed, and rests on directories that nobody guards. */
  public final class Writer {
    private final Set<Long> directoryIds;
    private final CompletableFuture<Void> left = new CompletableFuture<>();

    private Writer(Set<Long> directoryIds) {
      this.directoryIds = directoryIds;
    }

    /** It has taken effect, or never will. */
    public void leave() {
      synchronized (DirectoryLeases.this) {
        for (long id : directoryIds) {
          writers.computeIfPresent(
              id,
              (same, all) -> {
                all.remove(this);
                return all.isEmpty() ? null : all;
              });
        }
      }
      left.complete(null);
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
  public synchronized long moment() {
    return moment;
  }

  /**
   * A token for a directory that was read after a moment, if it has not been revoked since.
   *
   * @return null where there is none now
   */
  public synchronized @Nullable Token tokenFor(long directoryId, long readAfter) {
    boolean wasRevoked =
        readAfter < forgottenMoment
            || revoked.containsKey(directoryId)
            || lastRevocations.getOrDefault(directoryId, 0L) >= readAfter;
    return !isOn || wasRevoked ? null : tokens.get(directoryId, Token::new);
  }

  public synchronized boolean isRevoked(long directoryId) {
    return revoked.containsKey(directoryId);
  }

  /** Whether all that an operation rested on was as it was read until after this call began. */
  public boolean stillHold(List<Token> used) {
    for (Token token : used) {
      if (!token.isValid) {
        return false;
      }
    }
    return leaseHolds.getAsBoolean();
  }

  /**
   * An operation is about to be committed that rests on tokens.
   *
   * @return null when one of them does not hold any more
   */
  public synchronized @Nullable Writer enter(List<Token> used) {
    Set<Long> ids = new HashSet<>();
    for (Token token : used) {
      if (!token.isValid) {
        return null;
      }
      ids.add(token.directoryId);
    }
    Writer writer = new Writer(ids);
    ids.forEach(id -> writers.computeIfAbsent(id, same -> new HashSet<>()).add(writer));
    return writer;
  }

  /**
   * Somebody is about to change directories: from now on nothing rests on them, nor on what is
   * cached below them.
   *
   * @param change a name that no other change has; the same one again does nothing
   * @return completes when no commit is under way here that rests on them, on the thread of the
   *     last one: do not block there
   */
  public synchronized CompletableFuture<Void> revoke(String change, Collection<Long> directoryIds) {
    Change known = changes.get(change);
    if (known != null) {
      return known.confirmed;
    }
    Set<Long> ids = Set.copyOf(directoryIds);
    Set<CompletableFuture<Void>> waitsFor = new HashSet<>();
    for (long id : ids) {
      revoked.merge(id, 1, Integer::sum);
      Token token = tokens.asMap().remove(id);
      if (token != null) {
        token.isValid = false;
      }
      writers.getOrDefault(id, Set.of()).forEach(writer -> waitsFor.add(writer.left));
    }
    CompletableFuture<Void> confirmed =
        CompletableFuture.allOf(waitsFor.toArray(CompletableFuture[]::new));
    changes.put(change, new Change(ids, confirmed));
    note(ids);
    return confirmed;
  }

  /** A reader that read one of these before this moment gets no token for it after. */
  private void note(Set<Long> ids) {
    for (long id : ids) {
      lastRevocations.remove(id);
      lastRevocations.put(id, moment);
    }
    moment++;
    while (lastRevocations.size() > REMEMBERED) {
      Map.Entry<Long, Long> oldest = lastRevocations.entrySet().iterator().next();
      forgottenMoment = Math.max(forgottenMoment, oldest.getValue() + 1);
      lastRevocations.remove(oldest.getKey());
    }
  }

  /**
   * The change is committed, or will never be: tokens for these directories may be taken again. A
   * change of which that is not known stays.
   */
  public synchronized void allow(String change) {
    Change ended = changes.remove(change);
    if (ended != null) {
      Set<Long> ids = ended.directoryIds;
      ids.forEach(id -> revoked.computeIfPresent(id, (same, n) -> n == 1 ? null : n - 1));
      note(ids);
    }
  }

  /** The changes whose end this process was not told; for one that joins. */
  public synchronized Map<String, List<Long>> revocations() {
    Map<String, List<Long>> all = new HashMap<>();
    changes.forEach((name, change) -> all.put(name, new ArrayList<>(change.directoryIds)));
    return all;
  }
}
