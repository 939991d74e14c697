package io.acaciafs.namespace.tree;

import io.acaciafs.kv.Store;
import io.acaciafs.namespace.directory.ItemCounts;
import io.acaciafs.namespace.directory.SplitCandidates;
import io.acaciafs.namespace.lease.DirectoryLeases;
import io.acaciafs.namespace.lease.Leases;
import io.acaciafs.namespace.lookup.PathCache;
import io.acaciafs.namespace.permission.ProtectedDirectories;
import io.acaciafs.namespace.settings.NamespaceSettings;
import io.acaciafs.namespace.summary.SummaryCache;
import java.time.Clock;
import org.jspecify.annotations.Nullable;

/**
 * What the operations of this process share in memory: leases of clients, caches, and what was
 * noted for background work. Safe for use by many threads.
 */
public final class SharedState {
  /** One part in so many of the heap holds directories. */
  private static final int SHARE_OF_DIRECTORIES = 8;

  private final Leases leases;
  private final PathCache directories;
  private final SplitCandidates splitCandidates;
  private final ItemCounts itemCounts;
  private final SummaryCache summaryCache = new SummaryCache();
  private final ProtectedDirectories protectedDirectories = new ProtectedDirectories();

  /**
   * @param elapsed does not jump when somebody sets the clock
   * @param directoryLeases null where every operation guards the directories that it depends on
   */
  public SharedState(
      Store store,
      NamespaceSettings settings,
      Clock elapsed,
      @Nullable DirectoryLeases directoryLeases) {
    this.leases =
        new Leases(elapsed, settings.leaseHardLimitMs(), store.traits().partitionsSpread());
    this.directories =
        new PathCache(Runtime.getRuntime().maxMemory() / SHARE_OF_DIRECTORIES, directoryLeases);
    this.splitCandidates = new SplitCandidates(settings.directories());
    this.itemCounts = new ItemCounts(elapsed, !store.traits().localReads());
  }

  public Leases leases() {
    return leases;
  }

  /** Directories by path. */
  PathCache directories() {
    return directories;
  }

  public SplitCandidates splitCandidates() {
    return splitCandidates;
  }

  ItemCounts itemCounts() {
    return itemCounts;
  }

  public SummaryCache summaryCache() {
    return summaryCache;
  }

  public ProtectedDirectories protectedDirectories() {
    return protectedDirectories;
  }
}
