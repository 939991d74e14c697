package io.acaciafs.blocks.peers;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Hearing;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.NameNodes;
import io.acaciafs.blocks.datanode.Ownership;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.peers.PendingRecoveries.Hint;
import io.acaciafs.blocks.proto.BoardRow;
import io.acaciafs.blocks.proto.HeardDatanode;
import io.acaciafs.blocks.proto.RecoveryHint;
import io.acaciafs.blocks.record.Owner;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.kv.run.InFlight;
import io.acaciafs.kv.run.RepeatedFailures;
import io.acaciafs.kv.run.Slices;
import io.acaciafs.kv.run.TransactionRunner;
import java.io.IOException;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the NameNodes of one store tell each other of DataNodes, and which NameNode owns which. In
 * each round this one reads what others have changed and have heard, takes over the DataNodes that
 * should be its own, and writes its own state if there is anything to say. A DataNode is owned by
 * one of those that hear it, as {@link Ownership#choose} says. An owner that is alive is asked to
 * leave it, when all that the DataNode reported is known here.
 *
 * <p>One thread, from {@link #start} to {@link #close}; a round that fails is logged and followed
 * by the next. Where one NameNode is alone nothing runs.
 */
public final class PeerExchange implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerExchange.class);
  private static final String NOT_EXCHANGED =
      "DataNodes not exchanged with other NameNodes, will try again";
  private static final String NOT_TAKEN = "Not all DataNodes could be taken over, will try again";
  private static final String NOT_LEFT =
      "Not all DataNodes could be left to others, will try again";
  private static final String NOT_FORGOTTEN =
      "NameNodes that ended could not be forgotten as listeners, will try again";
  private static final long CLOSE_SECONDS = 30;

  /** So long an owner that is alive is not asked for a DataNode, for the sake of a clean change. */
  private static final long PATIENCE_MS = 60_000;

  /** So long word of new rows and of recoveries is repeated, as a NameNode may miss a state. */
  private static final long REPEAT_MS = 15_000;

  /** So long a state stays as it is on which there is nothing new. */
  private static final long REPEAT_BOARD_MS = 60_000;

  private static final long FORGET_DEAD_MS = 600_000;

  private final RepeatedFailures failures = new RepeatedFailures(LOG);
  private final NameNodes nameNodes;
  private final Ownership ownership;
  private final DatanodeRegistry registry;
  private final Liveness liveness;
  private final Hearing hearing;
  private final PendingRecoveries recoveries;
  private final BalancerBandwidth bandwidth;
  private final TransactionRunner runner;
  private final Clock clock;
  private final PeerStates states = new PeerStates();
  private final Map<String, Long> dueSinceMs = new HashMap<>();

  /** DataNodes that others own, and are asked to leave. */
  private Set<String> wanted = Set.of();

  private final Map<Long, Long> deadSinceMs = new HashMap<>();
  private long count;
  private @Nullable BoardRow published;
  private boolean publishedHeard;
  private long publishedMs;
  private volatile long changesToShow;
  private volatile Map<Long, PeerState> others = Map.of();
  private @Nullable ScheduledExecutorService thread;

  public PeerExchange(
      BlockContext context,
      NameNodes nameNodes,
      DatanodeServices datanodes,
      PendingRecoveries recoveries,
      BalancerBandwidth bandwidth) {
    this.nameNodes = nameNodes;
    this.ownership = datanodes.ownership();
    this.registry = datanodes.registry();
    this.liveness = datanodes.liveness();
    this.hearing = datanodes.hearing();
    this.recoveries = recoveries;
    this.bandwidth = bandwidth;
    this.runner = context.runner();
    this.clock = context.clock();
  }

  public void start(long intervalMs) {
    if (ownership.isAlone()) {
      return;
    }
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(
            task -> {
              Thread created = new Thread(task, "datanode-exchange");
              created.setDaemon(true);
              return created;
            });
    thread = started;
    started.scheduleWithFixedDelay(() -> tryRound(started), 0, intervalMs, TimeUnit.MILLISECONDS);
    nameNodes.onChange(
        () -> {
          try {
            started.execute(() -> tryRound(started));
          } catch (RejectedExecutionException e) {
            LOG.debug("This process ends, so its peers do not matter");
          }
        });
  }

  private void tryRound(ScheduledExecutorService on) {
    try {
      round();
      failures.succeeded(NOT_EXCHANGED);
    } catch (IOException | RuntimeException e) {
      if (!on.isShutdown()) {
        failures.failed(NOT_EXCHANGED, e);
      }
    }
  }

  /** Returns when all that it did is durable. */
  public void round() throws IOException {
    if (ownership.isAlone() || !nameNodes.leaseHolds()) {
      return;
    }
    if (registry.refresh(states.read(runner.store(), clock.millis()))) {
      states.read(runner.store(), clock.millis()); // not to know less than the rows
    }
    hearing.heard();
    Map<Long, PeerState> read = new HashMap<>(states.all());
    read.remove(nameNodes.self());
    others = Map.copyOf(read);
    others.forEach(this::learn);
    leave();
    takeOver();
    forgetListeners();
    publish();
    if (ownership.isFirst()) {
      forgetTheDead();
    }
  }

  /**
   * Whether all NameNodes act on the rows of DataNodes as they are at this count of changes, or
   * later ones, and have ended what they began before.
   */
  public boolean allHaveSeen(long changes) {
    return ownership.isAlone()
        || changesToShow >= changes
            && nameNodes.live().stream()
                .filter(number -> number != nameNodes.self())
                .map(others::get)
                .allMatch(state -> state != null && state.seenChanges() >= changes);
  }

  private void learn(long nameNode, PeerState state) {
    for (HeardDatanode heard : state.heard().values()) {
      Datanode datanode = registry.datanode(heard.getUuid());
      if (datanode != null && heard.getIsWanted() && nameNodes.live().contains(nameNode)) {
        ownership.leave(datanode);
      }
      if (datanode != null && heard.getIsOwned()) {
        datanode.stream().storedElsewhere(state.storedBeforeMs(heard));
        long heardMs = state.heardMs(heard.getUuid());
        boolean isNews = !datanode.hasHeartbeat() || heardMs >= datanode.lastHeardMs();
        if (isNews && heardMs > datanode.lastBeatMs()) {
          ExchangedDatanode.show(registry, liveness, datanode, heard, heardMs);
        }
      }
    }
    long nowMs = clock.millis();
    BoardRow first = state.parts().get(0);
    bandwidth.learn(nameNode, first);
    for (int index : first.getAwakeStoragesList()) {
      Storage storage = registry.storage(index);
      if (storage != null && ownership.isMine(storage.datanode())) {
        storage.deletions().rows().expect(nowMs);
        storage.transfers().rows().expect(nowMs);
      }
    }
    for (RecoveryHint hint : first.getRecoveriesList()) {
      Storage primary = registry.storage(hint.getPrimary());
      if (primary != null && ownership.isMine(primary.datanode())) {
        recoveries.heard(
            primary.datanode().uuid(),
            new Hint(hint.getBlockId(), hint.getRecoveryId(), hint.getPrimary(), nowMs));
      }
    }
  }

  /** Gives up what others have asked for, when nothing of it is under way any more. */
  private void leave() {
    List<Datanode> left = registry.view().datanodes().stream().filter(ownership::hasLeft).toList();
    join(NOT_LEFT, Slices.of(left, Ownership.TAKEN_TOGETHER).map(ownership::release));
  }

  private void takeOver() {
    List<Datanode> due = registry.view().datanodes().stream().filter(this::isDue).toList();
    dueSinceMs.keySet().retainAll(uuids(due));
    if (due.stream().anyMatch(datanode -> presentOwner(datanode) != 0 && isFree(datanode))) {
      nameNodes.look(); // or an owner that has just begun would be taken for a dead one
    }
    List<Datanode> free = due.stream().filter(this::isFree).toList();
    wanted =
        uuids(due.stream().filter(each -> !isFree(each)).filter(this::isToBeAskedFor).toList());
    join(NOT_TAKEN, Slices.of(free, Ownership.TAKEN_TOGETHER).map(ownership::take));
  }

  /** Whether it has another owner than this NameNode, which should own it. */
  private boolean isDue(Datanode datanode) {
    return presentOwner(datanode) != nameNodes.self()
        && liveness.isFresh(datanode.lastBeatMs())
        && Ownership.choose(datanode.uuid(), hearing(datanode)) == nameNodes.self();
  }

  private boolean isToBeAskedFor(Datanode datanode) {
    return datanode.stream().isComplete()
        || !hearing(datanode).contains(presentOwner(datanode))
        || hasWaited(datanode);
  }

  private static Set<String> uuids(List<Datanode> datanodes) {
    return datanodes.stream().map(Datanode::uuid).collect(Collectors.toSet());
  }

  /** As memory has it; 0: nobody. */
  private static long presentOwner(Datanode datanode) {
    Owner owner = datanode.owner();
    return owner == null ? 0 : owner.nameNode();
  }

  /** Whether nobody owns it who can still write. */
  private boolean isFree(Datanode datanode) {
    long present = presentOwner(datanode);
    return present == 0 || !nameNodes.live().contains(present);
  }

  private void forgetListeners() {
    join(
        NOT_FORGOTTEN,
        registry.view().datanodes().stream()
            .filter(ownership::isMine)
            .filter(datanode -> datanode.stream().isDirect() && !datanode.missesReport())
            .filter(ownership::hasOldListeners)
            .map(ownership::forgetListeners));
  }

  /** A failure is logged: the others are to hear of this NameNode all the same. */
  private void join(String notDone, Stream<CompletableFuture<Void>> changes) {
    try {
      InFlight.join(CompletableFuture.allOf(changes.toArray(CompletableFuture[]::new)));
      failures.succeeded(notDone);
    } catch (IOException e) {
      failures.failed(notDone, e);
    }
  }

  private boolean hasWaited(Datanode datanode) {
    long nowMs = clock.millis();
    return nowMs - dueSinceMs.computeIfAbsent(datanode.uuid(), uuid -> nowMs) > PATIENCE_MS;
  }

  /**
   * NameNodes that serve and have had a heartbeat of the DataNode lately. Looks into the state of
   * each NameNode, so it is asked only of DataNodes that this one hears and does not own.
   */
  private Set<Long> hearing(Datanode datanode) {
    Set<Long> hearing = new TreeSet<>();
    for (long number : nameNodes.live()) {
      PeerState state = others.get(number);
      long heardMs =
          number == nameNodes.self()
              ? datanode.lastBeatMs()
              : state == null ? Long.MIN_VALUE / 2 : state.heardMs(datanode.uuid());
      if (liveness.isFresh(heardMs)) {
        hearing.add(number);
      }
    }
    return hearing;
  }

  private void publish() throws IOException {
    long nowMs = clock.millis();
    long seen = changesToShow;
    changesToShow = registry.seenChanges(); // in the next state: what is under way may end first
    BoardRow.Builder first = BoardRow.newBuilder().setSeenChanges(seen);
    bandwidth.publish(first);
    List<HeardDatanode> heard = new ArrayList<>();
    for (Datanode datanode : registry.view().datanodes()) {
      boolean isMine = ownership.isMine(datanode);
      if (liveness.isFresh(datanode.lastBeatMs())) {
        heard.add(
            isMine
                ? ExchangedDatanode.describeOwn(datanode, nowMs)
                : ExchangedDatanode.describeOther(
                    datanode, wanted.contains(datanode.uuid()), nowMs));
      }
      if (!isMine) {
        datanode.storages().stream()
            .filter(storage -> storage.isAwakeSince(nowMs - REPEAT_MS))
            .forEach(storage -> first.addAwakeStorages(storage.index()));
        recoveries
            .since(datanode.uuid(), nowMs - REPEAT_MS)
            .forEach(hint -> first.addRecoveries(encode(hint)));
      }
    }
    BoardRow content = first.build();
    boolean isNews =
        !heard.isEmpty()
            || publishedHeard
            || !content.equals(published)
            || nowMs - publishedMs >= REPEAT_BOARD_MS;
    if (!isNews) {
      return;
    }
    published = null;
    first.setCount(++count);
    InFlight.join(
        runner.submit(
            tx -> {
              states.write(tx, nameNodes.self(), first.build(), heard);
              return null;
            }));
    states.written(PeerStates.parts(heard));
    published = content;
    publishedHeard = !heard.isEmpty(); // that it hears nobody any more is news, too
    publishedMs = nowMs;
  }

  private static RecoveryHint encode(Hint hint) {
    return RecoveryHint.newBuilder()
        .setPrimary(hint.primary())
        .setBlockId(hint.blockId())
        .setRecoveryId(hint.recoveryId())
        .build();
  }

  /** The states of NameNodes that have been dead for a while are of no use to anybody. */
  private void forgetTheDead() throws IOException {
    Set<Long> live = nameNodes.live();
    deadSinceMs.keySet().retainAll(others.keySet());
    deadSinceMs.keySet().removeAll(live);
    for (long number : others.keySet()) {
      if (!live.contains(number)
          && clock.millis() - deadSinceMs.computeIfAbsent(number, id -> clock.millis())
              > FORGET_DEAD_MS) {
        InFlight.join(
            runner.submit(
                tx -> {
                  states.remove(tx, number);
                  return null;
                }));
      }
    }
  }

  @Override
  public void close() {
    if (thread == null) {
      return;
    }
    thread.shutdownNow();
    try {
      if (!thread.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS)) {
        LOG.warn("The exchange with other NameNodes did not end in time");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
