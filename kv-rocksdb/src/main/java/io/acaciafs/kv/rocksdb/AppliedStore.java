package io.acaciafs.kv.rocksdb;

import io.acaciafs.kv.ConflictException;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The batches that a replica has applied, for reads alone: each transaction sees all rows as they
 * were after one batch, the last one at its begin. Whether that is late enough the caller knows. A
 * commit with writes fails. Never closed by itself; reads fail while the replica has no database.
 */
final class AppliedStore implements Store {
  private static final Traits TRAITS = new Traits(true, false);

  private final Supplier<Database> databases;

  /**
   * @param databases the one to read from now: another one after a copy was installed
   */
  AppliedStore(Supplier<Database> databases) {
    this.databases = databases;
  }

  @Override
  public Transaction begin() {
    return new AppliedTransaction(AppliedMoment.now(databases.get()));
  }

  @Override
  public Traits traits() {
    return TRAITS;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    return read(moment -> moment.get(key));
  }

  @Override
  public Scan scan(KeyRange range) {
    return scan(List.of(range));
  }

  @Override
  public Scan scan(List<KeyRange> ranges) {
    return read(moment -> moment.scan(ranges));
  }

  /** Once more, when rows went into files meanwhile. */
  private <T extends @Nullable Object> T read(Function<AppliedMoment, T> read) {
    while (true) {
      try {
        return read.apply(AppliedMoment.now(databases.get()));
      } catch (ConflictException e) {
        Thread.onSpinWait(); // a flush begins every few seconds
      }
    }
  }

  @Override
  public void close() {
    // the replica's
  }
}
