package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.Assignments;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.hbase.ServerName;

/**
 * Reads rows. Safe for use by many threads; futures complete on threads of the network: do not
 * block there.
 *
 * <p>A row is as it was at a moment between the call and its completion: its server had the region
 * then, see {@link Assignments}.
 */
public final class RowReads {
  private final ClusterClient client;
  private final RegionLocator regions;
  private final Membership membership;
  private final ReadRetries retries;
  private final SharedReads shared;

  public RowReads(
      ClusterClient client,
      RegionLocator regions,
      Membership membership,
      ReadRetries retries,
      SharedReads shared) {
    this.client = client;
    this.regions = regions;
    this.membership = membership;
    this.retries = retries;
    this.shared = shared;
  }

  public CompletableFuture<RowState> readLater(byte[] row) {
    client.noteWaitedFor();
    RowRead read = newRead(row);
    begin(read);
    return read.state();
  }

  /** A cell beside the data, such as a transaction's record; null where there is none. */
  public CompletableFuture<byte[]> readRecordLater(byte[] row, byte[] column) {
    client.noteWaitedFor();
    RecordRead read = new RecordRead(row, column, client.readPatienceMs());
    begin(read);
    return read.record();
  }

  private RowRead newRead(byte[] row) {
    return new RowRead(row, membership.isOwn(row), client.readPatienceMs());
  }

  private void begin(RowRead read) {
    if (isReady(read)) {
      shared.send(read);
    } else {
      retries.find(read, shared::send);
    }
  }

  /** Whether the process knows a server for the row and may use it. */
  private boolean isReady(RowRead read) {
    Assignment known = regions.usableAssignmentOf(read.row(), read.isOwn());
    read.useAssignment(known);
    return known != null;
  }

  /** Reads rows, each at a moment of its own; fails when one of them does. */
  public CompletableFuture<List<RowState>> readLater(List<byte[]> rows) {
    if (rows.size() == 1) {
      return readLater(rows.get(0)).thenApply(List::of);
    }
    client.noteWaitedFor();
    List<RowRead> all = rows.stream().map(this::newRead).toList();
    Map<ServerName, List<RowRead>> servers = new LinkedHashMap<>();
    for (RowRead read : all) {
      if (isReady(read)) {
        servers
            .computeIfAbsent(read.usedAssignment().server(), server -> new ArrayList<>(rows.size()))
            .add(read);
      } else {
        retries.find(read, shared::send);
      }
    }
    servers.forEach(shared::send);
    return CompletableFuture.allOf(
            all.stream().map(RowRead::state).toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(read -> read.state().join()).toList());
  }
}
