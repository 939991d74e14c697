package io.acaciafs.blocks.record;

import com.google.protobuf.InvalidProtocolBufferException;
import io.acaciafs.blocks.proto.RollingUpgradeRow;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * The rolling upgrade that is under way, or else the last one: one row. Immutable.
 *
 * @param startMs when it was prepared, milliseconds since 1970; each one has a higher one than
 *     those before
 * @param finalizedMs milliseconds since 1970; 0 while it is under way
 * @param backup where the backup is that a rollback takes, for people: host and folder; empty until
 *     it is made
 */
public record RollingUpgrade(long startMs, long finalizedMs, String backup) {
  private static final Comparator<RollingUpgrade> IN_TIME =
      Comparator.comparingLong(RollingUpgrade::startMs)
          .thenComparingLong(RollingUpgrade::finalizedMs)
          .thenComparing(RollingUpgrade::hasBackup);

  public boolean isFinalized() {
    return finalizedMs != 0;
  }

  public boolean hasBackup() {
    return !backup.isEmpty();
  }

  public RollingUpgrade withBackup(String where) {
    return new RollingUpgrade(startMs, finalizedMs, where);
  }

  public RollingUpgrade finalizedAt(long nowMs) {
    return new RollingUpgrade(startMs, nowMs, backup);
  }

  /** The one of which more has happened; nothing of an upgrade is ever taken back. */
  public static @Nullable RollingUpgrade later(
      @Nullable RollingUpgrade one, @Nullable RollingUpgrade other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return IN_TIME.compare(one, other) < 0 ? other : one;
  }

  /** The last one if it is under way, else null. */
  public static @Nullable RollingUpgrade underWay(@Nullable RollingUpgrade last) {
    return last == null || last.isFinalized() ? null : last;
  }

  /** Null where there was never one. */
  public static @Nullable RollingUpgrade read(Reader reader) {
    return decode(reader.get(BlockKeys.rollingUpgrade()));
  }

  /** The same, and guards the row. */
  public static @Nullable RollingUpgrade guard(Transaction tx) {
    return decode(tx.get(BlockKeys.rollingUpgrade()));
  }

  private static @Nullable RollingUpgrade decode(byte @Nullable [] bytes) {
    if (bytes == null) {
      return null;
    }
    try {
      RollingUpgradeRow row = RollingUpgradeRow.parseFrom(bytes);
      return new RollingUpgrade(row.getStartMs(), row.getFinalizedMs(), row.getBackup());
    } catch (InvalidProtocolBufferException e) {
      throw new StoreException("The row of the rolling upgrade is damaged", e);
    }
  }

  public void write(Transaction tx) {
    tx.put(
        BlockKeys.rollingUpgrade(),
        RollingUpgradeRow.newBuilder()
            .setStartMs(startMs)
            .setFinalizedMs(finalizedMs)
            .setBackup(backup)
            .build()
            .toByteArray());
  }

  /** As if there had never been one. */
  public static void forget(Transaction tx) {
    tx.delete(BlockKeys.rollingUpgrade());
  }
}
