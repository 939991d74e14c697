package io.acaciafs.kv.hbase;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.WriteSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Reads without waiting: asks for a row that is not here, and throws what says when it will be. A
 * row that somebody is at work on, a scan, and one row after the other in a long line are for those
 * who wait.
 */
final class NonBlockingTransaction extends HBaseTransaction {
  /** Each time the operation runs again from its beginning. */
  private static final int MOST_ASKS = 16;

  private final Asking asking;

  NonBlockingTransaction(HBaseStore store) {
    this(store, new Guards(), new PrefetchedRows(new Blocking()));
  }

  private NonBlockingTransaction(HBaseStore store, Guards guards, PrefetchedRows ahead) {
    this(store, guards, ahead, new Asking(store, guards, ahead));
  }

  private NonBlockingTransaction(
      HBaseStore store, Guards guards, PrefetchedRows ahead, Asking asking) {
    super(store, guards, ahead, asking);
    this.asking = asking;
  }

  /** What is not at hand when nobody can be asked any more. */
  private record Blocking() implements Reader {
    @Override
    public byte[] get(Key key) {
      throw new WouldBlockException();
    }

    @Override
    public Scan scan(KeyRange range) {
      throw new WouldBlockException();
    }
  }

  /** Has rows sent for. */
  private static final class Asking implements Reader {
    private final HBaseStore store;
    private final Guards guards;
    private final PrefetchedRows ahead;
    private final Set<Key> asked = new HashSet<>();
    private int asks;

    Asking(HBaseStore store, Guards guards, PrefetchedRows ahead) {
      this.store = store;
      this.guards = guards;
      this.ahead = ahead;
    }

    /** Why one cannot go on without these rows. */
    WouldBlockException ask(List<Key> keys) {
      boolean isNew = asked.addAll(keys); // else they came, and somebody was at work on one
      if (!isNew || ++asks > MOST_ASKS) {
        return new WouldBlockException();
      }
      CompletableFuture<Map<Key, HBaseVersionedRow>> rows = store.getAllIfRoom(keys);
      if (rows == null) {
        return new WouldBlockException();
      }
      int guardsBefore = guards.seen().size();
      return new WouldBlockException(
          rows.thenAccept(versionedRows -> ahead.add(versionedRows, guardsBefore)));
    }

    boolean isAsked(Key key) {
      return asked.contains(key);
    }

    @Override
    public byte[] get(Key key) {
      if (ahead.early(key) == null) {
        throw ask(List.of(key));
      }
      return ahead.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      throw new WouldBlockException();
    }
  }

  @Override
  public boolean mayBlock() {
    return false;
  }

  @Override
  HBaseVersionedRow read(Key key) {
    throw asking.ask(List.of(key));
  }

  @Override
  public void prefetch(List<Key> keys) {
    List<Key> missing = keys.stream().filter(key -> !asking.isAsked(key)).toList();
    if (!missing.isEmpty()) {
      throw asking.ask(missing);
    }
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    throw new UnsupportedOperationException("A non-blocking transaction only reads");
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return store().validateNonBlocking(guards());
  }
}
