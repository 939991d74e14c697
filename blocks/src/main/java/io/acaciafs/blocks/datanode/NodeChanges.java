package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.kv.Counters;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Transaction;
import org.jspecify.annotations.Nullable;

/**
 * How often the rows of DataNodes, storages and owners have changed: a counter that a transaction
 * raises together with them, so that other NameNodes need to read them only then. Where there can
 * be none nobody counts. Immutable.
 */
public final class NodeChanges {
  private static final Counters ONE = new Counters(new long[] {1}, new long[0]);

  private final boolean isCounted;

  public NodeChanges(NameNodes nameNodes) {
    this.isCounted = nameNodes.isWatched();
  }

  void note(Transaction tx) {
    if (isCounted) {
      tx.add(BlockKeys.datanodeChanges(), ONE);
    }
  }

  public static long read(Reader reader) {
    return decode(reader.get(BlockKeys.datanodeChanges()));
  }

  /**
   * @param row null where there is none
   */
  public static long decode(byte @Nullable [] row) {
    return Counters.decode(row).sum(0);
  }
}
