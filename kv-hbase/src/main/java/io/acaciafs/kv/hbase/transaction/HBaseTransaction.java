package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.RemoteReads;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.engine.BufferedTransaction;
import io.acaciafs.kv.engine.WriteSet;
import io.acaciafs.kv.hbase.commit.Guards;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Remembers what is read and written until the store commits it. */
public class HBaseTransaction extends BufferedTransaction implements RemoteReads {
  private final TransactionContext context;
  private final Guards guards;
  private final PrefetchedRows ahead;

  public HBaseTransaction(TransactionContext context) {
    this(context, new Guards(), new PrefetchedRows(context.unguarded()));
  }

  private HBaseTransaction(TransactionContext context, Guards guards, PrefetchedRows ahead) {
    this(context, guards, ahead, ahead);
  }

  /**
   * @param reader reads what is not guarded
   */
  HBaseTransaction(TransactionContext context, Guards guards, PrefetchedRows ahead, Reader reader) {
    super(new Beside(context.unguarded(), reader, guards));
    this.context = context;
    this.guards = guards;
    this.ahead = ahead;
  }

  /** Notes that something is read without a guard, as guards must be looked at after it then. */
  private record Beside(UnguardedReads unguarded, Reader reader, Guards guards) implements Reader {
    @Override
    public byte @Nullable [] get(Key key) {
      guards.noteReadBeside();
      return reader.get(key);
    }

    @Override
    public Scan scan(KeyRange range) {
      guards.noteReadBeside();
      return unguarded.needsProof(range.table())
          ? unguarded.scanUnproven(range, guards::add)
          : reader.scan(range);
    }

    @Override
    public Scan scan(KeyRange range, int rows) {
      guards.noteReadBeside();
      return reader.scan(range, rows);
    }
  }

  /** What was read ahead, and all else under guards. */
  private record Ahead(HBaseTransaction transaction) implements Reader {
    @Override
    public byte @Nullable [] get(Key key) {
      PrefetchedRows.Early early = transaction.ahead.early(key);
      if (early == null) {
        return transaction.get(key);
      }
      byte[] value = early.versioned().value();
      return value == null ? null : value.clone();
    }

    @Override
    public Scan scan(KeyRange range) {
      return transaction.unguarded().scan(range);
    }
  }

  TransactionContext context() {
    return context;
  }

  Guards guards() {
    return guards;
  }

  @Override
  public final byte @Nullable [] get(Key key) {
    byte[] value = getVersioned(key).value();
    return value == null || ahead.early(key) == null ? value : value.clone();
  }

  @Override
  public final VersionedRow getVersioned(Key key) {
    PrefetchedRows.Early early = ahead.early(key);
    HBaseVersionedRow versioned = early == null ? read(key) : early.versioned();
    // What was read ahead was read before what others, or this one, have seen since.
    boolean isAssumed = early != null && guards.seen().size() > early.guardsBefore();
    if (guards.add(key, new Guards.Seen(versioned.state(), isAssumed))) {
      context.versioned().note(versioned);
    }
    return versioned;
  }

  /** Reads a row that is not here. */
  HBaseVersionedRow read(Key key) {
    return context.versioned().getVersioned(key);
  }

  @Override
  public final RemoteReads remoteReads() {
    return this;
  }

  @Override
  public boolean mayBlock() {
    return true;
  }

  @Override
  public void noteReadBeside() {
    if (!guards.seen().isEmpty()) {
      guards.noteReadBeside();
    }
  }

  @Override
  public byte @Nullable [] recall(Key key) {
    Guards.Seen seen = guards.seen().get(key);
    RowState known = seen == null ? context.versioned().recall(key) : seen.state();
    if (known == null) {
      return get(key);
    }
    guards.add(key, new Guards.Seen(known, true));
    byte[] value = known.value();
    return value == null ? null : value.clone();
  }

  @Override
  public byte @Nullable [] recallUnguarded(Key key) {
    RowState known = context.versioned().recall(key);
    byte[] value = known == null ? null : known.value();
    return value == null ? null : value.clone();
  }

  @Override
  public Reader prefetched() {
    return new Ahead(this);
  }

  @Override
  public void prefetch(List<Key> keys) {
    List<Key> missing = keys.stream().filter(key -> ahead.early(key) == null).toList();
    if (!missing.isEmpty()) {
      ahead.add(context.versioned().getAll(missing), guards.seen().size());
    }
  }

  @Override
  public boolean guard(VersionedRow versioned) {
    HBaseVersionedRow seen = (HBaseVersionedRow) versioned;
    boolean holds = context.versioned().mayGuard(seen);
    if (holds) {
      guards.add(seen.key(), new Guards.Seen(seen.state(), true));
    }
    return holds;
  }

  @Override
  public boolean guardAbsent(Key key) {
    boolean isLikely = context.versioned().mayGuardAbsent(key);
    if (isLikely) {
      guards.add(key, new Guards.Seen(RowState.ABSENT, true));
    }
    return isLikely;
  }

  @Override
  public void guardExists(Key key) {
    guards.require(key);
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return context.commits().commit(guards, writes);
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return context.commits().validate(guards);
  }
}
