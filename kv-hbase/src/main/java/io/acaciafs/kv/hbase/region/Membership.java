package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Table;
import io.acaciafs.kv.hbase.schema.RegionRequest;
import io.acaciafs.kv.hbase.schema.RowKeys;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The row of the member table that this process is bound to. An unbound process cannot be fenced
 * off. Safe for use by many threads.
 */
public final class Membership {
  private volatile @Nullable Bound bound;

  @SuppressWarnings("ArrayRecordComponent") // a row
  private record Bound(byte[] row, MemberRows rows) {}

  /**
   * Binds the process to its row.
   *
   * @throws IllegalStateException if it is bound already
   */
  public synchronized void bind(Key session) {
    if (bound != null) {
      throw new IllegalStateException("A store is bound once");
    }
    bound = new Bound(RowKeys.of(session), new MemberRows(session.table()));
  }

  public boolean isBound() {
    return bound != null;
  }

  /** The process's own row; only of a bound process. */
  public byte[] row() {
    return Objects.requireNonNull(bound, "the process is bound").row;
  }

  /** The member table; null of an unbound process. */
  public @Nullable Table table() {
    Bound now = bound;
    return now == null ? null : now.rows.table();
  }

  /**
   * Whether a row is of the member table, and so is written before other processes know the
   * assignment of its region.
   */
  public boolean isOwn(byte[] row) {
    Bound now = bound;
    return now != null && now.rows.contains(row);
  }

  /** Whether a request is for rows of the member table alone. */
  public boolean isOwn(RegionRequest request) {
    Bound now = bound;
    return now != null && now.rows.contains(request);
  }

  /** Whether a range has rows of the member table. */
  public boolean meets(byte[] from, byte[] to) {
    Bound now = bound;
    return now != null && now.rows.meets(from, to);
  }

  /** A request that HBase applies as long as the process's own row exists. */
  public RegionRequest whileMember(RandomGenerator random) {
    byte[] row = row();
    RegionRequest request = new RegionRequest(random);
    request.requirePresent(row);
    request.putToken(row, row);
    return request;
  }
}
