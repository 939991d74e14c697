package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.region.Assignment;
import io.acaciafs.kv.hbase.region.Membership;
import io.acaciafs.kv.hbase.region.RegionLocator;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.apache.hadoop.hbase.client.Scan;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages of rows, each of one region. Safe for use by many threads; futures complete on
 * threads of the network: do not block there.
 */
public final class PageReads {
  private final ClusterClient client;
  private final RegionLocator regions;
  private final Membership membership;
  private final ReadRetries retries;
  private final SharedReads shared;

  public PageReads(
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

  /**
   * Reads from the first row of a scan to its last, its limit or the end of a region; all rows are
   * of one moment that is not before this call.
   *
   * @param unproven receives a read of the member table that the caller has to prove; null to have
   *     all reads proven
   */
  CompletableFuture<PageRead.Page> readLater(Scan scan, @Nullable Consumer<UnprovenRead> unproven) {
    boolean isOwn = membership.meets(scan.getStartRow(), scan.getStopRow());
    return readLater(scan, isOwn, isOwn ? unproven : null);
  }

  /** The same of rows that processes write without an announcement; the read is always proven. */
  CompletableFuture<PageRead.Page> readProvenLater(Scan scan) {
    return readLater(scan, true, null);
  }

  private CompletableFuture<PageRead.Page> readLater(
      Scan scan, boolean isOwn, @Nullable Consumer<UnprovenRead> unproven) {
    client.noteWaitedFor();
    PageRead read = new PageRead(scan, isOwn, unproven, client.readPatienceMs());
    Assignment known = regions.usableAssignmentOf(read.row(), isOwn);
    read.useAssignment(known);
    if (known == null) {
      retries.find(read, shared::send);
    } else {
      shared.send(read);
    }
    return read.page();
  }
}
