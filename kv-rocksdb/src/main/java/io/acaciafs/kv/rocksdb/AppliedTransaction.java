package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.ReadSet;
import io.acaciafs.kv.ReadTracking;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.VersionedRow;
import io.acaciafs.kv.engine.BufferedTransaction;
import io.acaciafs.kv.engine.WriteSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Reads all rows of one moment, so that nothing it has read can change until it ends. */
final class AppliedTransaction extends BufferedTransaction implements ReadTracking {
  private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

  private final AppliedMoment moment;
  private @Nullable AppliedReadSet readSet;
  private @Nullable Key missing;

  AppliedTransaction(AppliedMoment moment) {
    super(moment);
    this.moment = moment;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return unguarded().get(key);
  }

  @Override
  public VersionedRow getVersioned(Key key) {
    return new AppliedRow(moment.database(), key, moment.moment().end(), get(key));
  }

  /**
   * @param value null: there was no such row
   */
  @SuppressWarnings("ArrayRecordComponent") // shared on purpose
  private record AppliedRow(Database database, Key key, long end, byte @Nullable [] value)
      implements VersionedRow {}

  @Override
  public boolean guard(VersionedRow versioned) {
    AppliedRow row = (AppliedRow) versioned;
    boolean holds =
        row.database() == moment.database()
            && moment.database().memtable().isSince(row.key(), row.end());
    if (holds && readSet != null) {
      readSet.note(row.key(), row.end());
    }
    return holds;
  }

  /** What it knows is of another moment. */
  @Override
  public boolean guardAbsent(Key key) {
    return false;
  }

  @Override
  public void guardExists(Key key) {
    if (get(key) == null) {
      missing = key;
    }
  }

  @Override
  public ReadTracking readTracking() {
    return this;
  }

  @Override
  public ReadSet trackReads() {
    if (readSet == null) {
      readSet = new AppliedReadSet(moment);
      readThrough(readSet);
    }
    return readSet;
  }

  @Override
  public ReadSet watch(KeyRange range) {
    AppliedReadSet watched = new AppliedReadSet(moment);
    watched.note(range);
    return watched;
  }

  @Override
  public Reader readView() {
    return unguarded();
  }

  @Override
  protected CompletableFuture<Void> commit(WriteSet writes) {
    return writes.isEmpty()
        ? checkGuards()
        : CompletableFuture.failedFuture(
            new StoreException("This server follows another one, and writes nothing by itself"));
  }

  @Override
  protected CompletableFuture<Void> checkGuards() {
    return missing == null ? DONE : CompletableFuture.failedFuture(new ConflictException(missing));
  }
}
