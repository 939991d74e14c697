package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.region.Assignments;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.schema.RowState;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Reads rows. Safe for use by many threads; futures complete on threads of the network: do not
 * block there.
 *
 * <p>A row is as it was at a moment between the call and its completion: its server had the region
 * then, see {@link Assignments}.
 */
public final class RowReads {
  private final ClusterClient client;
  private final Membership membership;
  private final SharedReads shared;

  public RowReads(ClusterClient client, Membership membership, SharedReads shared) {
    this.client = client;
    this.membership = membership;
    this.shared = shared;
  }

  public CompletableFuture<RowState> readLater(byte[] row) {
    client.noteWaitedFor();
    RowRead read = newRead(row);
    shared.begin(read);
    return read.state();
  }

  /** A cell beside the data, such as a transaction's record; null where there is none. */
  public CompletableFuture<byte[]> readRecordLater(byte[] row, byte[] column) {
    client.noteWaitedFor();
    RecordRead read = new RecordRead(row, column, client.readPatienceMs());
    shared.begin(read);
    return read.record();
  }

  private RowRead newRead(byte[] row) {
    return new RowRead(row, membership.isOwn(row), client.readPatienceMs());
  }

  /** Reads rows, each at a moment of its own; fails when one of them does. */
  public CompletableFuture<List<RowState>> readLater(List<byte[]> rows) {
    if (rows.size() == 1) {
      return readLater(rows.get(0)).thenApply(List::of);
    }
    client.noteWaitedFor();
    List<RowRead> all = rows.stream().map(this::newRead).toList();
    shared.begin(all);
    return CompletableFuture.allOf(
            all.stream().map(RowRead::state).toArray(CompletableFuture[]::new))
        .thenApply(done -> all.stream().map(read -> read.state().join()).toList());
  }
}
