package io.acaciafs.namespace.context;

import io.acaciafs.kv.Key;
import io.acaciafs.kv.Store;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.IdSequence;
import io.acaciafs.namespace.record.DirectoryInode;
import io.acaciafs.namespace.record.IdKind;
import io.acaciafs.namespace.record.Locator;
import io.acaciafs.namespace.record.NamespaceKeys;
import io.acaciafs.namespace.record.RowKeyLayout;
import io.acaciafs.namespace.record.codec.Dictionary;
import io.acaciafs.namespace.settings.NamespaceSettings;
import java.time.Clock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * The store of a namespace, and what every transaction on it needs: settings, clock, the source of
 * new ids. Knows no operation. Safe for use by many threads.
 */
public final class NamespaceContext {
  private static final int IDS_PER_RANGE = 10_000;

  private volatile NamespaceSettings settings;
  private final FileBlocks blocks;
  private final Clock clock;
  private final boolean isShared;
  private final boolean hasRemoteReads;
  private final Store store;
  private volatile @Nullable RowKeyLayout layout;
  private final Dictionary dictionary = new Dictionary();
  private final Map<IdKind, IdSequence> ids = new EnumMap<>(IdKind.class);
  private final DirectoryPlaces places;

  public NamespaceContext(Store store, NamespaceSettings settings, FileBlocks blocks, Clock clock) {
    this.store = store;
    this.settings = settings;
    this.blocks = blocks;
    this.clock = clock;
    this.isShared = store.traits().partitionsSpread();
    this.hasRemoteReads = !store.traits().localReads();
    this.places =
        new DirectoryPlaces(
            store.placement().groups(), store.placement()::groupOf, new SplittableRandom());
    for (IdKind kind : IdKind.values()) {
      // One busy directory wants the ids of one place, and passes over those of all others.
      int placementGroups = kind == IdKind.INODE ? store.placement().groups() : 1;
      ids.put(kind, kind.sequence(store, IDS_PER_RANGE * placementGroups));
    }
  }

  public NamespaceSettings settings() {
    return settings;
  }

  public void limitDirectoryItems(int maxDirectoryItems) {
    settings = settings.with(settings.limits().withMaxDirectoryItems(maxDirectoryItems));
  }

  FileBlocks blocks() {
    return blocks;
  }

  Clock clock() {
    return clock;
  }

  /** Whether other processes may run operations on the same store. */
  public boolean isShared() {
    return isShared;
  }

  /** Whether each read is a request over a network. */
  boolean hasRemoteReads() {
    return hasRemoteReads;
  }

  RowKeyLayout layout() {
    RowKeyLayout known = layout;
    if (known == null) {
      known = RowKeyLayout.of(store);
      layout = known; // it never changes
    }
    return known;
  }

  Dictionary dictionary() {
    return dictionary;
  }

  public Transaction begin() {
    return store.begin();
  }

  private IdSequence sequence(IdKind kind) {
    return Objects.requireNonNull(ids.get(kind), "each kind has one");
  }

  long nextId(IdKind kind) {
    return sequence(kind).next();
  }

  /** An id of an inode whose rows lie near its entry, where the engine has such a thing. */
  long nextInodeId(Key entry) {
    IdSequence inodeIds = sequence(IdKind.INODE);
    return choosesPlaces()
        ? inodeIds.next(
            store.placement().groupOf(entry),
            id -> store.placement().groupOf(NamespaceKeys.inode(id)))
        : inodeIds.next();
  }

  /** Where the entries of a new directory will lie. */
  Locator newLocator(DirectoryInode parent, long id) {
    return choosesPlaces() ? places.next(id) : layout().locate(parent, id);
  }

  private boolean choosesPlaces() {
    return store.placement().groups() > 1 && layout() == RowKeyLayout.SPREAD;
  }
}
