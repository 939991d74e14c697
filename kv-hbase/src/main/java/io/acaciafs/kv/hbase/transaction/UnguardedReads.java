package io.acaciafs.kv.hbase.transaction;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.KeyRange;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.lock.LockResolver;
import io.acaciafs.kv.hbase.read.TableClient;
import io.acaciafs.kv.hbase.read.UnprovenRead;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads rows as they are when their request arrives. Blocks; safe for use by many threads. */
public final class UnguardedReads implements Reader {
  private final ScanPages pages;
  private final LockResolver locks;
  private final Membership membership;
  private final Runnable checkOpen;

  /**
   * @param checkOpen throws if the store is closed
   */
  public UnguardedReads(
      TableClient table, LockResolver locks, Membership membership, Runnable checkOpen) {
    this.pages = new ScanPages(table, locks, checkOpen);
    this.locks = locks;
    this.membership = membership;
    this.checkOpen = checkOpen;
  }

  @Override
  public byte @Nullable [] get(Key key) {
    checkOpen.run();
    return locks.read(RowKeys.of(key)).value();
  }

  @Override
  public Scan scan(KeyRange range) {
    checkOpen.run();
    return new HBaseScan(pages, range);
  }

  @Override
  public Scan scan(KeyRange range, int rows) {
    checkOpen.run();
    return new HBaseScan(pages, range, rows);
  }

  /** Whether each read of a table has to be proven. */
  boolean needsProof(Table name) {
    return name.equals(membership.table());
  }

  /** A scan of such a table by a transaction, which proves at its end what it read. */
  Scan scanUnproven(KeyRange range, Consumer<UnprovenRead> unproven) {
    checkOpen.run();
    return new HBaseScan(pages, range, unproven);
  }
}
