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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
  private final Map<byte[], Map<Family, RowEdit>> edits = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final BitSet refused = new BitSet();

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
    Map<byte[], Boolean> changed = new TreeMap<>(Bytes.BYTES_COMPARATOR);
    note(request.common(), changed);
    request.transactions().forEach(transaction -> note(transaction, changed));
    for (Map.Entry<byte[], Boolean> row : changed.entrySet()) {
      locks.add(region.getRowLock(row.getKey(), !row.getValue()));
    }
  }

  private static void note(ConditionalWrite write, Map<byte[], Boolean> changed) {
    for (Condition condition : write.conditions()) {
      changed.putIfAbsent(condition.row(), false);
    }
    for (Change change : write.changes()) {
      changed.put(change.row(), true);
    }
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
    Map<Family, RowEdit> families = edits.computeIfAbsent(row, same -> new EnumMap<>(Family.class));
    RowEdit known = families.get(family);
    if (known == null) {
      known = new RowEdit(row, family, rows.read(row, family));
      families.put(family, known);
    }
    return known;
  }

  private void write() throws IOException {
    List<Mutation> mutations = new ArrayList<>();
    List<RowEdit> changed = new ArrayList<>();
    for (Map<Family, RowEdit> families : edits.values()) {
      for (RowEdit edit : families.values()) {
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
