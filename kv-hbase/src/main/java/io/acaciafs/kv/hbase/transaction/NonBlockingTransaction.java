package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.WouldBlockException;
import io.acaciafs.kv.engine.WriteSet;
import io.acaciafs.kv.hbase.commit.Guards;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reads without blocking: requests a row that is not here, and throws an exception that completes
 * when the row has arrived. Rows that another transaction has locked, scans, and long chains of
 * dependent rows need a transaction that blocks.
 */
public final class NonBlockingTransaction extends HBaseTransaction {
  /** Each time the operation runs again from its beginning. */
  private static final int MOST_ROUNDS = 16;

  private final RowRequests requests;

  public NonBlockingTransaction(TransactionContext context) {
    this(context, new Guards(), new PrefetchedRows(new Blocking()));
  }

  private NonBlockingTransaction(TransactionContext context, Guards guards, PrefetchedRows ahead) {
    this(context, guards, ahead, new RowRequests(context.versioned(), guards, ahead));
  }

  private NonBlockingTransaction(
      TransactionContext context, Guards guards, PrefetchedRows ahead, RowRequests requests) {
    super(context, guards, ahead, requests);
    this.requests = requests;
  }

  /** Refuses rows that are not here. */
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
  private static final class RowRequests implements Reader {
    private final VersionedReads reads;
    private final Guards guards;
    private final PrefetchedRows ahead;
    private final Set<Key> requested = new HashSet<>();
    private int rounds;

    RowRequests(VersionedReads reads, Guards guards, PrefetchedRows ahead) {
      this.reads = reads;
      this.guards = guards;
      this.ahead = ahead;
    }

    /** Why one cannot go on without these rows. */
    WouldBlockException request(List<Key> keys) {
      boolean isNew =
          requested.addAll(keys); // else they came, and another transaction had locked one
      if (!isNew || ++rounds > MOST_ROUNDS) {
        return new WouldBlockException();
      }
      CompletableFuture<Map<Key, HBaseVersionedRow>> rows = reads.getAllIfRoom(keys);
      if (rows == null) {
        return new WouldBlockException();
      }
      int guardsBefore = guards.seen().size();
      return new WouldBlockException(
          rows.thenAccept(versionedRows -> ahead.add(versionedRows, guardsBefore)));
    }

    boolean isRequested(Key key) {
      return requested.contains(key);
    }

    @Override
    public byte @Nullable [] get(Key key) {
      if (ahead.early(key) == null) {
        throw request(List.of(key));
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
    throw requests.request(List.of(key));
  }

  @Override
  public void prefetch(List<Key> keys) {
    List<Key> missing = keys.stream().filter(key -> !requests.isRequested(key)).toList();
    if (!missing.isEmpty()) {
      throw requests.request(missing);
    }
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    throw new UnsupportedOperationException("A non-blocking transaction only reads");
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return context().commits().validateNonBlocking(guards());
  }
}
