package io.acaciafs.namespace;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.TransactionRunner;
import io.acaciafs.namespace.record.Dictionary;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.IdSequence;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.SplittableRandom;

/** What all operations share. Safe for use by many threads. */
final class NamespaceContext {
  private static final int IDS_PER_RANGE = 10_000;

  /** One part in so many of the heap holds directories. */
  private static final int SHARE_OF_DIRECTORIES = 8;

  private volatile NamespaceSettings settings;
  private final FileBlocks blocks;
  private final Clock clock;
  private final Leases leases;
  private final QuotaReservations quotaReservations = new QuotaReservations();
  private final DirectoryCache directories =
      new DirectoryCache(Runtime.getRuntime().maxMemory() / SHARE_OF_DIRECTORIES);
  private final Repetitions repetitions;
  private final RunningTime runningTime;
  private final boolean hasCompany;
  private final boolean hasRemoteReads;
  private final Store store;
  private volatile RowKeyLayout layout;
  private final SplitCandidates splitCandidates;
  private final ItemCounts itemCounts;
  private final CountedStretches countedStretches = new CountedStretches();
  private final DirectoryTrust trust;
  private final Dictionary dictionary = new Dictionary();
  private final Map<IdKind, IdSequence> ids = new EnumMap<>(IdKind.class);
  private final DirectoryPlaces places;
  private final ProtectedDirectories protectedDirectories = new ProtectedDirectories();

  NamespaceContext(
      TransactionRunner runner,
      NamespaceSettings settings,
      FileBlocks blocks,
      Clock clock,
      Clock elapsed,
      DirectoryTrust trust) {
    this.settings = settings;
    this.blocks = blocks;
    this.clock = clock;
    this.repetitions = new Repetitions(elapsed, settings.retryExpiryMs());
    this.trust = trust;
    this.runningTime = new RunningTime(runner.store(), clock, elapsed);
    this.hasCompany = runner.store().traits().partitionsSpread();
    this.hasRemoteReads = !runner.store().traits().localReads();
    this.store = runner.store();
    this.places =
        new DirectoryPlaces(store.neighbourhoods(), store::neighbourhood, new SplittableRandom());
    this.itemCounts = new ItemCounts(elapsed, hasRemoteReads);
    this.splitCandidates = new SplitCandidates(settings.directories());
    this.leases = new Leases(elapsed, settings.leaseHardLimitMs(), hasCompany);
    for (IdKind kind : IdKind.values()) {
      // One busy directory wants the ids of one place, and passes over those of all others.
      int neighbourhoods = kind == IdKind.INODE ? store.neighbourhoods() : 1;
      ids.put(kind, new IdSequence(store, kind, IDS_PER_RANGE * neighbourhoods));
    }
  }

  NamespaceSettings settings() {
    return settings;
  }

  void limitDirectoryItems(int maxDirectoryItems) {
    settings = settings.with(maxDirectoryItems);
  }

  ProtectedDirectories protectedDirectories() {
    return protectedDirectories;
  }

  FileBlocks blocks() {
    return blocks;
  }

  Clock clock() {
    return clock;
  }

  Leases leases() {
    return leases;
  }

  QuotaReservations quotaReservations() {
    return quotaReservations;
  }

  DirectoryCache directories() {
    return directories;
  }

  ItemCounts itemCounts() {
    return itemCounts;
  }

  CountedStretches countedStretches() {
    return countedStretches;
  }

  RunningTime runningTime() {
    return runningTime;
  }

  Repetitions repetitions() {
    return repetitions;
  }

  /** Whether other processes may run operations on the same store. */
  boolean hasCompany() {
    return hasCompany;
  }

  /** Whether each read is a request over a network. */
  boolean hasRemoteReads() {
    return hasRemoteReads;
  }

  RowKeyLayout layout() {
    RowKeyLayout known = layout;
    if (known == null) {
      known = Namespace.layout(store);
      layout = known; // it never changes
    }
    return known;
  }

  SplitCandidates splitCandidates() {
    return splitCandidates;
  }

  /** Null where every operation asks the store. */
  DirectoryTrust trust() {
    return trust;
  }

  Dictionary dictionary() {
    return dictionary;
  }

  Transaction begin() {
    return store.begin();
  }

  long nextId(IdKind kind) {
    return ids.get(kind).next();
  }

  /** An id of an inode whose rows lie near its entry, where the engine has such a thing. */
  long nextInodeId(Key entry) {
    IdSequence inodeIds = ids.get(IdKind.INODE);
    return choosesPlaces()
        ? inodeIds.next(
            store.neighbourhood(entry), id -> store.neighbourhood(NamespaceKeys.inode(id)))
        : inodeIds.next();
  }

  /** Where the entries of a new directory will lie. */
  Locator newLocator(DirectoryInode parent, long id) {
    return choosesPlaces() ? places.next(id) : layout().locate(parent, id);
  }

  private boolean choosesPlaces() {
    return store.neighbourhoods() > 1 && layout() == RowKeyLayout.SPREAD;
  }
}
