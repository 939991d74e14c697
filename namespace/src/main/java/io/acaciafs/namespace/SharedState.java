package io.acaciafs.namespace;

import io.acaciafs.kv.Store;
import java.time.Clock;

/**
 * What the operations of this process share in memory: leases of clients, caches, and what was
 * noted for background work. Safe for use by many threads.
 */
final class SharedState {
  /** One part in so many of the heap holds directories. */
  private static final int SHARE_OF_DIRECTORIES = 8;

  private final Leases leases;
  private final DirectoryCache directories;
  private final SplitCandidates splitCandidates;
  private final ItemCounts itemCounts;
  private final CountedStretches countedStretches = new CountedStretches();
  private final ProtectedDirectories protectedDirectories = new ProtectedDirectories();

  /**
   * @param elapsed does not jump when somebody sets the clock
   * @param trust null where every operation guards the directories that it depends on
   */
  SharedState(Store store, NamespaceSettings settings, Clock elapsed, DirectoryTrust trust) {
    this.leases =
        new Leases(elapsed, settings.leaseHardLimitMs(), store.traits().partitionsSpread());
    this.directories =
        new DirectoryCache(Runtime.getRuntime().maxMemory() / SHARE_OF_DIRECTORIES, trust);
    this.splitCandidates = new SplitCandidates(settings.directories());
    this.itemCounts = new ItemCounts(elapsed, !store.traits().localReads());
  }

  Leases leases() {
    return leases;
  }

  /** Directories by path. */
  DirectoryCache directories() {
    return directories;
  }

  SplitCandidates splitCandidates() {
    return splitCandidates;
  }

  ItemCounts itemCounts() {
    return itemCounts;
  }

  CountedStretches countedStretches() {
    return countedStretches;
  }

  ProtectedDirectories protectedDirectories() {
    return protectedDirectories;
  }
}
