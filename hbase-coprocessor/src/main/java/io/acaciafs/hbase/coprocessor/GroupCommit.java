package io.acaciafs.hbase.coprocessor;

import io.acaciafs.hbase.protocol.Change;
import io.acaciafs.hbase.protocol.CommitReply;
import io.acaciafs.hbase.protocol.CommitRequest;
import io.acaciafs.hbase.protocol.Condition;
import io.acaciafs.hbase.protocol.ConditionalWrite;
import io.acaciafs.hbase.protocol.Family;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.EnumMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.regionserver.Region;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;

/**
 * Runs the transactions of one call: locks all their rows, judges one transaction after the other,
 * and writes what those that are not refused change, in one batch. For one thread.
 */
final class GroupCommit {
  private final Region region;
  private final RegionRows rows;
  private final CommitRequest request;

  /** By the array itself: a decoded request has one array for each row. */
  private final Map<byte[], TouchedRow> touched = new IdentityHashMap<>();

  private final BitSet refused = new BitSet();

  /** A row that the request names. */
  private static final class TouchedRow {
    private final byte[] row;
    private final Map<Family, RowEdit> edits = new EnumMap<>(Family.class);
    private boolean isChanged;

    TouchedRow(byte[] row) {
      this.row = row;
    }
  }

  /**
   * @param request as it was decoded
   */
  GroupCommit(Region region, RegionRows rows, CommitRequest request) {
    this.region = region;
    this.rows = rows;
    this.request = request;
  }

  CommitReply run() throws IOException {
    List<Region.RowLock> locks = new ArrayList<>();
    try {
      lock(locks);
      boolean isHeld = holds(request.common());
      if (isHeld) {
        judge(EnvironmentEdgeManager.currentTime());
        write();
      }
      return new CommitReply(isHeld, refused);
    } finally {
      locks.forEach(Region.RowLock::release);
    }
  }

  /** In the order of the rows, as all others lock them; shared where a row is not changed. */
  private void lock(List<Region.RowLock> locks) throws IOException {
    note(request.common());
    request.transactions().forEach(this::note);
    List<TouchedRow> inOrder = new ArrayList<>(touched.values());
    inOrder.sort((one, other) -> Bytes.compareTo(one.row, other.row));
    for (TouchedRow row : inOrder) {
      locks.add(region.getRowLock(row.row, !row.isChanged));
    }
  }

  private void note(ConditionalWrite write) {
    for (Condition condition : write.conditions()) {
      touched(condition.row());
    }
    for (Change change : write.changes()) {
      touched(change.row()).isChanged = true;
    }
  }

  private TouchedRow touched(byte[] row) {
    return touched.computeIfAbsent(row, TouchedRow::new);
  }

  private void judge(long nowMs) throws IOException {
    for (int i = 0; i < request.transactions().size(); i++) {
      ConditionalWrite transaction = request.transactions().get(i);
      if (holds(transaction) && canMake(transaction.changes())) {
        make(transaction.changes(), nowMs);
      } else {
        refused.set(i);
      }
    }
    make(request.common().changes(), nowMs);
  }

  private boolean holds(ConditionalWrite write) throws IOException {
    for (Condition condition : write.conditions()) {
      if (!edit(condition.row(), condition.family()).holds(condition)) {
        return false;
      }
    }
    return true;
  }

  private boolean canMake(List<Change> changes) throws IOException {
    for (Change change : changes) {
      if (!edit(change.row(), change.family()).takes(change)) {
        return false;
      }
    }
    return true;
  }

  private void make(List<Change> changes, long nowMs) throws IOException {
    for (Change change : changes) {
      edit(change.row(), change.family()).apply(withReceipt(change), nowMs);
    }
  }

  private Change withReceipt(Change change) {
    if (change.kind() != Change.Kind.PUT_RECEIPT) {
      return change;
    }
    byte[] bits = refused.toByteArray();
    byte[] value = Arrays.copyOf(change.value(), change.value().length + bits.length);
    System.arraycopy(bits, 0, value, change.value().length, bits.length);
    return new Change(
        change.row(),
        Change.Kind.PUT,
        change.family(),
        change.qualifier(),
        change.timestamp(),
        value);
  }

  private RowEdit edit(byte[] row, Family family) throws IOException {
    Map<Family, RowEdit> edits = touched(row).edits;
    RowEdit known = edits.get(family);
    if (known == null) {
      known = new RowEdit(row, family, rows.read(row, family));
      edits.put(family, known);
    }
    return known;
  }

  private void write() throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    List<RowEdit> changed = new ArrayList<>();
    for (TouchedRow row : touched.values()) {
      for (RowEdit edit : row.edits.values()) {
        if (edit.addTo(mutations)) {
          changed.add(edit);
        }
      }
    }
    if (mutations.isEmpty()) {
      return;
    }
    // The locks of the rows are held already.
    region.mutateRowsWithLocks(
        mutations, Collections.emptyList(), HConstants.NO_NONCE, HConstants.NO_NONCE);
    changed.forEach(edit -> rows.written(edit.row(), edit.family(), edit.content()));
  }
}
