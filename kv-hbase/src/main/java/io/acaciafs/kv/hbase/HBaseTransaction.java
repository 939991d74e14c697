package io.acaciafs.kv.hbase;

import io.acaciafs.kv.BufferedTransaction;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Sighting;
import io.acaciafs.kv.WriteSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** Remembers what is read and written until the store commits it. */
final class HBaseTransaction extends BufferedTransaction {
  private final HBaseStore store;
  private final Guards guards;
  private Map<Key, HBaseSighting> ahead = Map.of();

  HBaseTransaction(HBaseStore store) {
    this(store, new Guards());
  }

  private HBaseTransaction(HBaseStore store, Guards guards) {
    super(new Beside(store, guards));
    this.store = store;
    this.guards = guards;
  }

  /** Notes that something is read without a guard, as guards must be looked at after it then. */
  private record Beside(HBaseStore store, Guards guards) implements Reader {
    @Override
    public byte[] peek(Key key) {
      guards.noteReadBeside();
      return store.peek(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      guards.noteReadBeside();
      return store.scan(range);
    }

    @Override
    public Scan scan(KeyRange range, int rows) {
      guards.noteReadBeside();
      return store.scan(range, rows);
    }
  }

  @Override
  public byte[] get(Key key) {
    return see(key).value();
  }

  @Override
  public Sighting see(Key key) {
    HBaseSighting early = ahead.get(key);
    HBaseSighting sighting = early == null ? store.see(key) : early;
    // What was read ahead was read before what others, or this one, have seen since.
    guards.add(key, new Guards.Seen(sighting.state(), early != null && !guards.seen().isEmpty()));
    return sighting;
  }

  @Override
  public void noteReadBeside() {
    if (!guards.seen().isEmpty()) {
      guards.noteReadBeside();
    }
  }

  @Override
  public byte[] recall(Key key) {
    Guards.Seen seen = guards.seen().get(key);
    RowState known = seen == null ? store.recall(key) : seen.state();
    if (known == null) {
      return get(key);
    }
    guards.add(key, new Guards.Seen(known, true));
    byte[] value = known.value();
    return value == null ? null : value.clone();
  }

  @Override
  public byte[] remembered(Key key) {
    RowState known = store.recall(key);
    return known == null ? null : known.value().clone();
  }

  @Override
  public Reader rowsAhead() {
    return ahead.isEmpty() ? null : new Ahead(store, ahead);
  }

  private record Ahead(HBaseStore store, Map<Key, HBaseSighting> rows) implements Reader {
    @Override
    public byte[] peek(Key key) {
      HBaseSighting early = rows.get(key);
      byte[] value = early == null ? store.peek(key) : early.value();
      return value == null || early == null ? value : value.clone();
    }

    @Override
    public Scan scan(KeyRange range) {
      return store.scan(range);
    }
  }

  @Override
  public void readAhead(List<Key> keys) {
    if (ahead.isEmpty()) {
      ahead = new HashMap<>();
    }
    ahead.putAll(store.seeAll(keys));
  }

  @Override
  public boolean assume(Sighting sighting) {
    HBaseSighting seen = (HBaseSighting) sighting;
    boolean holds = store.mayAssume(seen);
    if (holds) {
      guards.add(seen.key(), new Guards.Seen(seen.state(), true));
    }
    return holds;
  }

  @Override
  public boolean assumeAbsent(Key key) {
    boolean isLikely = store.mayAssumeAbsent(key);
    if (isLikely) {
      guards.add(key, new Guards.Seen(RowState.ABSENT, true));
    }
    return isLikely;
  }

  @Override
  public void require(Key key) {
    guards.require(key);
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return store.commit(guards, writes);
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return store.validate(guards);
  }
}
