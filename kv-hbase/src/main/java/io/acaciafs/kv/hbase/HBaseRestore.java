package io.acaciafs.kv.hbase;

import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.engine.SnapshotRestore;
import io.acaciafs.kv.hbase.admin.HBaseAdmin;
import io.acaciafs.kv.hbase.client.HBaseOptions;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A table of HBase from a snapshot.
 *
 * <p>Nothing in a clone of the snapshot tells it from a table that may be served. So the clone is
 * made under a name that no site configures, corrected there, and cloned once more to the name that
 * the site does configure: HBase shows a clone when it is whole. If a restore is cut off, the next
 * one to the same table removes what it left under the first name, unless the table is there by
 * then and another restore made it: then that restore may still use the clone.
 */
final class HBaseRestore implements SnapshotRestore {
  private static final Logger LOG = LoggerFactory.getLogger(HBaseRestore.class);
  private static final String PART = "-restoring";

  private final HBaseOptions options;
  private final HBaseOptions part;

  HBaseRestore(HBaseOptions options) {
    this.options = options;
    this.part = options.withTable(options.table() + PART);
  }

  @Override
  public String restore(String snapshot, Correction correction) throws IOException {
    requireNoTable(correction);
    drop();
    HBaseAdmin.restore(part, snapshot);
    try (HBaseStore copy = HBaseStore.open(part)) {
      correction.correct(copy, partSnapshot());
    }
    HBaseAdmin.restore(options, partSnapshot());
    dropIfPossible();
    return "table " + options.table();
  }

  private void requireNoTable(Correction correction) throws IOException {
    if (!HBaseAdmin.isFormatted(options)) {
      return;
    }
    boolean isLeftOver = isLeftOver(correction);
    if (isLeftOver) {
      drop();
    }
    throw new IOException(
        "HBase has a table "
            + options.table()
            + " already. Name another one, or drop it in HBase's shell"
            + (isLeftOver
                ? ""
                : ", together with " + part.table() + " and the snapshot of that name")
            + ". If it is of a restore that was cut off, bootstrap this machine");
  }

  /** Whether no restore needs the part any more: the table was made of it, and is whole. */
  private boolean isLeftOver(Correction correction) {
    if (!HBaseAdmin.isFormatted(part)) {
      return true; // a snapshot at most
    }
    try (HBaseStore made = HBaseStore.open(options.withOwner(null));
        HBaseStore left = HBaseStore.open(part.withOwner(null))) {
      return correction.isSameRestore(made, left);
    } catch (StoreException e) {
      LOG.warn("Not known which restore needs a table of HBase table={}", part.table(), e);
      return false;
    }
  }

  private void drop() {
    HBaseAdmin.drop(part, partSnapshot());
  }

  /** When all else is done. */
  private void dropIfPossible() {
    try {
      drop();
    } catch (StoreException e) {
      LOG.warn("Table and snapshot not removed, remove them in HBase table={}", part.table(), e);
    }
  }

  /** A snapshot's name has no name space. */
  private String partSnapshot() {
    return part.table().replace(':', '-');
  }
}
