package io.acaciafs.kv.hbase.read;

import io.acaciafs.kv.hbase.client.ClusterClient;
import io.acaciafs.kv.hbase.region.Membership;
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
  private final Membership membership;
  private final SharedReads shared;

  public PageReads(ClusterClient client, Membership membership, SharedReads shared) {
    this.client = client;
    this.membership = membership;
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
    shared.begin(read);
    return read.page();
  }
}
