package io.acaciafs.kv.memory;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.engine.EngineStore;
import io.acaciafs.kv.engine.StoreMetric;
import io.acaciafs.kv.engine.WriteSet;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The reference engine: a sorted map and a version for each row ever written.
 *
 * <p>A commit is visible at once and durable later, in order; {@link Faults} say when, and what
 * goes wrong. {@link #crash} gives the store as it is after a restart. Takes tables as they come.
 * Safe for use by many threads, under one lock; futures complete without it, on the thread of the
 * commit (or {@link #makeDurable}) that made them durable.
 */
public final class MemoryStore implements EngineStore {
  private static final Traits LOCAL = new Traits(true, false);

  private final Object lock = new Object();
  private final NavigableMap<Key, byte[]> rows;
  private final Map<Key, Long> versions = new HashMap<>();
  private final DurableRows durable;
  private final Faults faults;
  private final Traits traits;
  private long commits;

  /** Why no call is answered any more; null as long as they are. */
  private @Nullable String end;

  public MemoryStore() {
    this(Faults.none());
  }

  public MemoryStore(Faults faults) {
    this(faults, LOCAL);
  }

  /**
   * @param traits what the store claims to be, to test users with
   */
  public MemoryStore(Faults faults, Traits traits) {
    this(faults, traits, new TreeMap<>());
  }

  private MemoryStore(Faults faults, Traits traits, NavigableMap<Key, byte[]> rows) {
    this.faults = faults;
    this.traits = traits;
    this.rows = rows;
    this.durable = new DurableRows(new TreeMap<>(rows));
  }

  @Override
  public Transaction begin() {
    synchronized (lock) {
      checkOpen();
      return new MemoryTransaction(this);
    }
  }

  @Override
  public Traits traits() {
    synchronized (lock) {
      checkOpen();
      return traits;
    }
  }

  @Override
  public byte @Nullable [] get(Key key) {
    synchronized (lock) {
      checkOpen();
      return copy(rows.get(key));
    }
  }

  @Override
  public Scan scan(KeyRange range) {
    synchronized (lock) {
      checkOpen();
      return new MemoryScan(this, range);
    }
  }

  @Override
  public List<StoreMetric> metrics() {
    return List.of(
        StoreMetric.counter(
            "acacia_store_commits", "Commits that wrote something", this::commitCount));
  }

  private long commitCount() {
    synchronized (lock) {
      return commits;
    }
  }

  /** Makes every commit durable whose durability was delayed, and completes their futures. */
  public void makeDurable() {
    List<CompletableFuture<Void>> replies;
    synchronized (lock) {
      checkOpen();
      replies = durable.flush();
    }
    replies.forEach(reply -> reply.complete(null));
  }

  /**
   * Ends the store like a loss of power and starts it again. A commit whose future had not
   * completed fails; it is there as a whole or not at all. May be called on a store that a fault
   * crashed, and again for the same state.
   *
   * @return a new store, with the same faults, over the durable rows
   */
  public MemoryStore crash() {
    List<CompletableFuture<Void>> lost;
    MemoryStore restarted;
    synchronized (lock) {
      lost = end == null ? endWithCrash(durable.waiting()) : List.of();
      restarted = new MemoryStore(faults, traits, durable.copy());
    }
    DurableRows.fail(lost, "The store crashed");
    return restarted;
  }

  @Override
  public void close() {
    List<CompletableFuture<Void>> replies = List.of();
    synchronized (lock) {
      if (end == null) {
        end = "The store is closed";
        replies = durable.flush();
      }
    }
    replies.forEach(reply -> reply.complete(null));
  }

  /** Reads a row and notes the version of the first read, which is the one to hold. */
  byte @Nullable [] get(Key key, Map<Key, Long> guards) {
    synchronized (lock) {
      checkOpen();
      guards.putIfAbsent(key, version(key));
      return copy(rows.get(key));
    }
  }

  /** If several processes use the store, it behaves like one with rows on several servers. */
  @Nullable Reader readView() {
    synchronized (lock) {
      checkOpen();
      return traits.partitionsSpread() ? null : new MemoryReadView(new TreeMap<>(rows));
    }
  }

  MemoryVersionedRow getVersioned(Key key, Map<Key, Long> guards) {
    synchronized (lock) {
      return new MemoryVersionedRow(key, version(key), get(key, guards));
    }
  }

  boolean guard(MemoryVersionedRow versioned, Map<Key, Long> guards) {
    synchronized (lock) {
      checkOpen();
      if (version(versioned.key()) != versioned.version()) {
        return false;
      }
      guards.putIfAbsent(versioned.key(), versioned.version());
      return true;
    }
  }

  @Nullable Row first(KeyRange range) {
    synchronized (lock) {
      checkOpen();
      Map.Entry<Key, byte[]> first = rows.ceilingEntry(new Key(range.table(), range.from()));
      return first != null && range.contains(first.getKey())
          ? new Row(first.getKey(), first.getValue().clone())
          : null;
    }
  }

  CompletableFuture<Void> validate(Map<Key, Long> guards, Set<Key> required) {
    synchronized (lock) {
      checkOpen();
      Key changed = firstChanged(guards, required);
      return changed == null
          ? CompletableFuture.completedFuture(null)
          : CompletableFuture.failedFuture(new ConflictException(changed));
    }
  }

  CompletableFuture<Void> commit(Map<Key, Long> guards, Set<Key> required, WriteSet writes) {
    CompletableFuture<Void> reply = new CompletableFuture<>();
    List<CompletableFuture<Void>> done = List.of();
    List<CompletableFuture<Void>> failed = List.of();
    synchronized (lock) {
      checkOpen();
      Fault fault = writes.isEmpty() ? null : faults.next();
      Key changed = firstChanged(guards, required);
      if (changed == null && fault == Fault.CONFLICT) {
        changed = anyKey(guards, required, writes);
      }
      if (changed != null) {
        leaveIndexRows(writes);
        return CompletableFuture.failedFuture(new ConflictException(changed));
      }
      if (writes.isEmpty()) {
        return whenVisibleIsDurable();
      }
      CompletableFuture<Void> durableReply =
          fault == Fault.LOST_REPLY ? new CompletableFuture<>() : reply;
      apply(writes, durableReply);
      if (fault == Fault.CRASH_AFTER_DURABLE) {
        failed = durable.flush();
        endWithCrash(0);
      } else if (fault == Fault.CRASH_BEFORE_DURABLE) {
        failed = endWithCrash(durable.waiting() - 1);
      } else if (fault != Fault.DELAY) {
        done = durable.flush();
      }
      if (fault == Fault.LOST_REPLY) {
        failed = List.of(reply);
      }
    }
    done.forEach(future -> future.complete(null));
    DurableRows.fail(failed, "The reply was lost");
    return reply;
  }

  private CompletableFuture<Void> whenVisibleIsDurable() {
    if (durable.waiting() == 0) {
      return CompletableFuture.completedFuture(null);
    }
    CompletableFuture<Void> reply = new CompletableFuture<>();
    durable.add(new DurableRows.Batch(Map.of(), Map.of(), List.of(), reply));
    return reply;
  }

  private @Nullable Key firstChanged(Map<Key, Long> guards, Set<Key> required) {
    for (Map.Entry<Key, Long> guard : guards.entrySet()) {
      if (version(guard.getKey()) != guard.getValue()) {
        return guard.getKey();
      }
    }
    for (Key key : required) {
      if (!rows.containsKey(key)) {
        return key;
      }
    }
    return null;
  }

  private void apply(WriteSet writes, CompletableFuture<Void> reply) {
    Map<Key, byte[]> values = new LinkedHashMap<>();
    writes.rows().forEach((key, value) -> values.put(key, copy(value)));
    writes
        .deltas()
        .forEach(
            (key, delta) -> values.put(key, Counters.decode(rows.get(key)).plus(delta).encode()));
    Map<Key, byte[]> before = new LinkedHashMap<>();
    writes.before().forEach((key, value) -> before.put(key, copy(value)));
    commits++;
    show(before);
    show(values);
    Map<Key, byte[]> after = new LinkedHashMap<>();
    writes.after().forEach(key -> after.put(key, null));
    show(after);
    durable.add(new DurableRows.Batch(before, values, after.keySet(), reply));
  }

  private void leaveIndexRows(WriteSet writes) {
    if (!writes.before().isEmpty() && faults.leavesIndexRows()) {
      commits++;
      show(writes.before());
      // Durable only with what is before it; a commit of its own keeps the order.
      durable.add(
          new DurableRows.Batch(writes.before(), Map.of(), List.of(), new CompletableFuture<>()));
    }
  }

  private void show(Map<Key, byte[]> changes) {
    DurableRows.apply(rows, changes);
    changes.keySet().forEach(key -> versions.put(key, commits));
  }

  private List<CompletableFuture<Void>> endWithCrash(int mayReach) {
    end = "The store crashed";
    return durable.crash(faults, mayReach);
  }

  private long version(Key key) {
    return versions.getOrDefault(key, 0L);
  }

  private void checkOpen() {
    if (end != null) {
      throw new StoreException(end);
    }
  }

  private static Key anyKey(Map<Key, Long> guards, Set<Key> required, WriteSet writes) {
    return List.of(
            guards.keySet(),
            required,
            writes.rows().keySet(),
            writes.deltas().keySet(),
            writes.before().keySet(),
            writes.after())
        .stream()
        .flatMap(Set::stream)
        .findFirst()
        .orElseThrow();
  }

  private static byte @Nullable [] copy(byte @Nullable [] value) {
    return value == null ? null : Arrays.copyOf(value, value.length);
  }
}
