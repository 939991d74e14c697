package io.acaciafs.kv.hbase.region;

import io.acaciafs.kv.UnavailableException;
import io.acaciafs.kv.hbase.client.Backoff;
import io.acaciafs.kv.hbase.client.ClusterClient;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.hadoop.hbase.DoNotRetryIOException;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.NotServingRegionException;
import org.apache.hadoop.hbase.client.AsyncTableRegionLocator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the region and the region server of rows. HBase's client locates regions; this class keeps
 * the {@link Assignments} that were found. Safe for use by many threads.
 */
public final class RegionLocator {
  private final ClusterClient client;
  private final AsyncTableRegionLocator locator;
  private final Assignments assignments = new Assignments();

  public RegionLocator(ClusterClient client) {
    this.client = client;
    this.locator = client.locator();
  }

  /** The assignments that this process knows. */
  public Assignments assignments() {
    return assignments;
  }

  /** The region of a row: the known one, or else HBase's client is asked. */
  public CompletableFuture<HRegionLocation> locate(byte[] row) {
    Assignment known = assignments.of(row);
    return known == null ? lookUp(row, false) : known.found();
  }

  /**
   * Asks HBase's client for the location of a region, and again past its cache if the location is
   * older than what this process knows.
   */
  private CompletableFuture<HRegionLocation> lookUp(byte[] row, boolean reload) {
    CompletableFuture<HRegionLocation> found;
    try {
      found = locator.getRegionLocation(row, reload);
    } catch (RuntimeException e) { // it is closed
      return CompletableFuture.failedFuture(e);
    }
    CompletableFuture<HRegionLocation> taken = found.thenCompose(place -> take(place, row, reload));
    // HBase's client keeps asking, and further callers wait for the same answer.
    return taken.isDone()
        ? taken
        : taken.orTimeout(client.options().rpcTimeoutMs(), TimeUnit.MILLISECONDS);
  }

  private CompletableFuture<HRegionLocation> take(
      HRegionLocation place, byte[] row, boolean reload) {
    if (place.getServerName() == null || assignments.of(place) != null) {
      return CompletableFuture.completedFuture(place);
    }
    return reload
        ? CompletableFuture.failedFuture(
            new NotServingRegionException("HBase tells where a region was before: " + place))
        : lookUp(row, true);
  }

  public HRegionLocation locateNow(byte[] row) {
    return find(() -> locate(row));
  }

  /** Looks the region of a row up past the cache of HBase's client. */
  public void relocate(byte[] row) {
    find(() -> relocateLater(row));
  }

  /**
   * Repeats the search until a server has the region. While a region moves or splits, no server has
   * it for a moment, and HBase's client reports this in several ways.
   */
  private HRegionLocation find(Supplier<CompletableFuture<HRegionLocation>> question) {
    Backoff backoff =
        new Backoff(ThreadLocalRandom.current(), client.options().operationTimeoutMs());
    while (true) {
      try {
        return client.await(question.get(), "find a region");
      } catch (UnavailableException e) {
        boolean isForGood = e.getCause() instanceof DoNotRetryIOException; // there is no table
        if (isForGood || backoff.isOver() || client.isClosed()) {
          throw e;
        }
        backoff.next();
      }
    }
  }

  public CompletableFuture<HRegionLocation> relocateLater(byte[] row) {
    return lookUp(row, true);
  }

  /**
   * The known assignment of a row's region, if it may be used without waiting; else null.
   *
   * @param isOwn whether the row may be used before other processes know the assignment
   */
  public @Nullable Assignment usableAssignmentOf(byte[] row, boolean isOwn) {
    Assignment known = assignments.of(row);
    boolean isUsable =
        known != null
            && (isOwn || known.isAnnounced() || isDone(assignments.announcedToRead(known)));
    return isUsable ? known : null;
  }

  private static boolean isDone(CompletableFuture<Void> announcement) {
    return announcement.isDone() && !announcement.isCompletedExceptionally();
  }

  /**
   * Finds the assignment of a row's region, and announces it to the other processes, within the
   * timeout of an operation.
   */
  public CompletableFuture<Assignment> findLater(byte[] row, boolean isOwn) {
    return locate(row)
        .thenCompose(
            place -> {
              Assignment found = place.getServerName() == null ? null : assignments.of(place);
              if (found == null) {
                return CompletableFuture.failedFuture(
                    new NotServingRegionException("A region is on its way between servers"));
              }
              return isOwn
                  ? CompletableFuture.completedFuture(found)
                  : bounded(assignments.announcedToRead(found)).thenApply(told -> found);
            });
  }

  /**
   * Completes when the other processes know of an assignment; fails after the operation timeout.
   */
  public CompletableFuture<Void> bounded(CompletableFuture<Void> announcement) {
    return announcement.isDone()
        ? announcement
        : announcement
            .thenApply(told -> told)
            .orTimeout(client.options().operationTimeoutMs(), TimeUnit.MILLISECONDS);
  }

  /** All regions of the table, in order. */
  public List<HRegionLocation> regions() {
    return client.await(locator.getAllRegionLocations(), "list regions");
  }
}
