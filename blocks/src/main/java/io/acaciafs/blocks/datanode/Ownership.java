package io.acaciafs.blocks.datanode;

import io.acaciafs.blocks.record.BlockKeys;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.record.OwnershipEpoch;
import io.acaciafs.kv.Key;
import io.acaciafs.kv.StoreException;
import io.acaciafs.kv.Transaction;
import io.acaciafs.kv.run.Operation;
import io.acaciafs.kv.run.TransactionRunner;
import io.acaciafs.kv.value.StableHash;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which NameNode commands a DataNode. The store says it, with an epoch that grows each time it
 * changes; memory may be behind. What only the owner may write ({@link #submit}) looks at no row:
 * an owner that is alive leaves a DataNode by itself, when all of that has ended, and one that died
 * is fenced off before another NameNode takes over. Safe for use by many threads.
 *
 * <p>Where one NameNode is alone it owns all, and there are no rows.
 */
public final class Ownership {
  private static final Logger LOG = LoggerFactory.getLogger(Ownership.class);

  /** How many DataNodes one transaction takes at most: thousands lose their owner with it. */
  public static final int TAKEN_TOGETHER = 100;

  private final NameNodes nameNodes;
  private final TransactionRunner runner;
  private final NodeChanges changes;
  private final long firstEpoch;

  public Ownership(NameNodes nameNodes, TransactionRunner runner, NodeChanges changes) {
    this.nameNodes = nameNodes;
    this.runner = runner;
    this.changes = changes;
    this.firstEpoch = OwnershipEpoch.read(runner.store());
  }

  public boolean isAlone() {
    return nameNodes.isAlone();
  }

  public boolean leaseHolds() {
    return nameNodes.leaseHolds();
  }

  /** Whether work that one NameNode is to do for all is this one's: the longest-serving one's. */
  public boolean isFirst() {
    return isAlone() || nameNodes.leaseHolds() && nameNodes.live().first() == nameNodes.self();
  }

  /** Whether this NameNode may command the DataNode now, as far as it knows. */
  public boolean isMine(Datanode datanode) {
    if (isAlone()) {
      return true;
    }
    return isStoredOwner(datanode) && datanode.ownersWork().isOpen() && nameNodes.leaseHolds();
  }

  private boolean isStoredOwner(Datanode datanode) {
    Owner owner = datanode.owner();
    return owner != null && owner.nameNode() == nameNodes.self();
  }

  /** What the DataNode is told in the place of a transaction id. */
  public long epoch(@Nullable Datanode datanode) {
    Owner owner = datanode == null ? null : datanode.owner();
    return owner == null ? firstEpoch + nameNodes.term() : owner.epoch();
  }

  /**
   * Runs what only the owner of a DataNode may write. No other NameNode takes the DataNode before
   * that has ended.
   *
   * @return fails with {@link IOException} where this NameNode does not own the DataNode
   */
  public <T> CompletableFuture<T> submit(Datanode datanode, Operation<T, ?> operation) {
    if (isAlone()) {
      return runner.submit(operation);
    }
    OwnersWork work = datanode.ownersWork();
    if (!work.begin()) {
      return CompletableFuture.failedFuture(
          new IOException("Another NameNode takes over the DataNode " + datanode.id()));
    }
    try {
      return runner.submit(operation).whenComplete((result, failure) -> work.end());
    } catch (RuntimeException e) {
      work.end();
      throw e;
    }
  }

  /** Which of some NameNodes should own a DataNode: each gives it a weight, the highest wins. */
  public static long choose(String datanodeUuid, Collection<Long> nameNodes) {
    long uuidHash = StableHash.fnv1a(datanodeUuid.getBytes(StandardCharsets.UTF_8));
    long best = 0;
    long most = Long.MIN_VALUE;
    for (long nameNode : nameNodes) {
      long weight = StableHash.mix(StableHash.mix(nameNode) ^ uuidHash);
      if (best == 0 || weight > most) {
        best = nameNode;
        most = weight;
      }
    }
    return best;
  }

  /** A DataNode has registered: one that nobody owns is owned at once. */
  public CompletableFuture<Void> registered(Datanode datanode) {
    boolean isUp =
        !isAlone()
            && datanode.owner() == null
            && choose(datanode.uuid(), nameNodes.live()) == nameNodes.self();
    return isUp ? take(List.of(datanode)) : CompletableFuture.completedFuture(null);
  }

  /**
   * Becomes the owner of DataNodes, but not of one whose row is not what memory says it is. Where
   * reports may have been lost with the last owner the DataNode's replicas are in doubt until it
   * has reported all of them.
   *
   * @param datanodes that nobody owns, or whose owner is fenced off; not too many, for one
   *     transaction: {@link #TAKEN_TOGETHER}
   */
  public CompletableFuture<Void> take(List<Datanode> datanodes) {
    List<Claim> claims =
        datanodes.stream()
            .map(each -> new Claim(each, each.owner(), isIncomplete(each, each.owner())))
            .toList();
    return change(
        datanodes,
        tx -> {
          tx.remoteReads().prefetch(claims.stream().flatMap(Claim::rows).toList());
          Map<Datanode, Owner> taken = new LinkedHashMap<>();
          for (Claim claim : claims) {
            Owner next = take(tx, claim);
            if (next != null) { // else the next look at the store shows which one was faster
              taken.put(claim.datanode(), next);
            }
          }
          return taken;
        });
  }

  /** Changes owners in the store, and shows it. */
  private CompletableFuture<Void> change(
      List<Datanode> datanodes, Operation<Map<Datanode, Owner>, StoreException> change) {
    datanodes.forEach(Datanode::beginChange);
    return runner
        .submit(
            tx -> {
              Map<Datanode, Owner> changed = change.run(tx);
              if (!changed.isEmpty()) {
                changes.note(tx);
              }
              return changed;
            })
        .whenComplete((changed, failure) -> datanodes.forEach(Datanode::endChange))
        .thenAccept(changed -> changed.forEach(this::learned));
  }

  /**
   * What this NameNode expects of a DataNode that it takes.
   *
   * @param expected the owner that its row names; null: nobody
   * @param isIncomplete whether its replicas are in doubt then
   */
  private record Claim(Datanode datanode, @Nullable Owner expected, boolean isIncomplete) {
    /** The rows that decide, and those that change. */
    Stream<Key> rows() {
      Stream<Key> storages =
          isIncomplete ? datanode.storages().stream().map(DatanodeRows::key) : Stream.empty();
      return Stream.concat(
          Stream.of(BlockKeys.owner(datanode.uuid()), BlockKeys.datanode(datanode.uuid())),
          storages);
    }
  }

  /** Another NameNode is to own a DataNode of this one: begins nothing more as its owner. */
  public void leave(Datanode datanode) {
    datanode.ownersWork().close(() -> runner.store().session().settle());
  }

  /** Whether a DataNode is to be {@linkplain #release released}. */
  public boolean hasLeft(Datanode datanode) {
    return !isAlone() && isStoredOwner(datanode) && datanode.ownersWork().isSettled();
  }

  /**
   * Gives up DataNodes that this NameNode has {@linkplain #hasLeft left}.
   *
   * @param datanodes not too many, for one transaction: {@link #TAKEN_TOGETHER}
   */
  public CompletableFuture<Void> release(List<Datanode> datanodes) {
    return change(
        datanodes,
        tx -> {
          tx.remoteReads()
              .prefetch(
                  datanodes.stream().map(datanode -> BlockKeys.owner(datanode.uuid())).toList());
          Map<Datanode, Owner> released = new LinkedHashMap<>();
          for (Datanode datanode : datanodes) {
            Owner now = Owner.decode(tx.get(BlockKeys.owner(datanode.uuid())));
            if (now != null && now.nameNode() == nameNodes.self()) {
              Owner nobody = now.released();
              tx.put(BlockKeys.owner(datanode.uuid()), nobody.encode());
              released.put(datanode, nobody);
            }
          }
          return released;
        });
  }

  /** Null where it is not to be had. */
  private @Nullable Owner take(Transaction tx, Claim claim) {
    Datanode datanode = claim.datanode();
    Owner now = Owner.decode(tx.get(BlockKeys.owner(datanode.uuid())));
    boolean isStored = DatanodeRows.isKnown(tx, datanode.uuid());
    if (!isStored || !Objects.equals(now, claim.expected())) {
      return null;
    }
    Owner next =
        now == null
            ? new Owner(nameNodes.self(), firstEpoch + 1, List.of())
            : now.followedBy(nameNodes.self());
    tx.put(BlockKeys.owner(datanode.uuid()), next.encode());
    if (claim.isIncomplete()) {
      for (Storage storage : datanode.storages()) {
        DatanodeRows.setUnverified(tx, storage);
      }
    }
    return next;
  }

  /** Whether something may have been said that no NameNode knows any more. */
  private boolean isIncomplete(Datanode datanode, @Nullable Owner last) {
    if (last == null) {
      return false;
    }
    ReportStream stream = datanode.stream();
    boolean isHeardByOthers =
        last.listeners().stream().anyMatch(other -> other != nameNodes.self());
    return (isHeardByOthers || stream.isRegisteredAnew() || stream.hasDropped())
        && !stream.isComplete();
  }

  /** The store says which NameNode owns a DataNode. */
  void learned(Datanode datanode, Owner owner) {
    Owner last = datanode.owner();
    boolean wasMine = last != null && last.nameNode() == nameNodes.self();
    boolean isMine = owner.nameNode() == nameNodes.self();
    if (isMine && !wasMine) {
      taken(datanode, last, owner);
    } else if (wasMine && !isMine) {
      leave(datanode);
      datanode.stream().lost();
      datanode.missesReport(false);
      LOG.info("DataNode left to another NameNode datanode={} owner={}", datanode.id(), owner);
    }
    datanode.owner(owner);
  }

  private void taken(Datanode datanode, @Nullable Owner last, Owner owner) {
    if (isIncomplete(datanode, last)) {
      datanode.storages().forEach(storage -> storage.verified(false));
    }
    boolean isInDoubt = datanode.storages().stream().anyMatch(storage -> !storage.isVerified());
    datanode.missesReport(isInDoubt);
    datanode.storages().forEach(Storage::wake);
    datanode.stream().taken(owner.listeners().isEmpty());
    datanode.ownersWork().open();
    LOG.info(
        "DataNode taken over datanode={} epoch={} needsFullReport={}",
        datanode.id(),
        owner.epoch(),
        isInDoubt);
  }

  /**
   * Reports of a DataNode of this NameNode were lost: its replicas are in doubt until it has
   * reported all of them, which it is asked for.
   *
   * @return completes when that is durable
   */
  public CompletableFuture<Void> doubt(Datanode datanode) {
    datanode.beginChange();
    datanode.storages().forEach(storage -> storage.verified(false));
    datanode.missesReport(true);
    LOG.warn(
        "Reports of a DataNode were too many to keep, all are asked for datanode={}",
        datanode.id());
    return this.<Void>submit(
            datanode,
            tx -> {
              boolean isChanged = false;
              for (Storage storage : datanode.storages()) {
                isChanged |= DatanodeRows.setUnverified(tx, storage);
              }
              if (isChanged) {
                changes.note(tx);
              }
              return null;
            })
        .whenComplete((nothing, failure) -> datanode.endChange());
  }

  /**
   * Writes down, before the first answer to a report that is not stored here, that this NameNode
   * gives such answers.
   *
   * @return completes when that is durable
   */
  public CompletableFuture<Void> listen(Datanode datanode) {
    if (datanode.isListenedTo()) {
      return CompletableFuture.completedFuture(null);
    }
    return runner
        .<Void>submit(
            tx -> {
              Owner stored = Owner.decode(tx.get(BlockKeys.owner(datanode.uuid())));
              Owner now = stored == null ? new Owner(0, firstEpoch, List.of()) : stored;
              boolean isStored = DatanodeRows.isKnown(tx, datanode.uuid());
              if (isStored && !now.listeners().contains(nameNodes.self())) {
                Owner more = now.withListener(nameNodes.self());
                tx.put(BlockKeys.owner(datanode.uuid()), more.encode());
                changes.note(tx);
              }
              return null;
            })
        .thenRun(() -> datanode.listenedTo(true));
  }

  /**
   * This NameNode has stored all that a DataNode of its own has said: listeners that ended, and
   * itself, are forgotten.
   */
  public CompletableFuture<Void> forgetListeners(Datanode datanode) {
    Set<Long> left = Set.copyOf(othersAlive());
    return runner.<Void>submit(
        tx -> {
          Owner now = Owner.decode(tx.get(BlockKeys.owner(datanode.uuid())));
          if (now != null && now.nameNode() == nameNodes.self()) {
            Owner fewer = now.withListenersAmong(left);
            if (!fewer.equals(now)) {
              datanode.listenedTo(false);
              tx.put(BlockKeys.owner(datanode.uuid()), fewer.encode());
              changes.note(tx);
            }
          }
          return null;
        });
  }

  /** Whether {@link #forgetListeners} has something to do. */
  public boolean hasOldListeners(Datanode datanode) {
    Owner owner = datanode.owner();
    return owner != null && !othersAlive().containsAll(owner.listeners());
  }

  private List<Long> othersAlive() {
    return nameNodes.live().stream().filter(number -> number != nameNodes.self()).toList();
  }
}
