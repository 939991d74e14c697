package io.acaciafs.blocks.datanode;

import java.time.Clock;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNodes and storages that memory shows. Readers see each change as it is made; changes hold
 * the monitor of this object, which a caller holds as well who makes several at once. Safe for use
 * by many threads.
 */
final class KnownDatanodes {
  private static final Logger LOG = LoggerFactory.getLogger(KnownDatanodes.class);

  /**
   * DataNodes without storages that are kept. A DataNode names its storages in its first heartbeat,
   * right after it has registered; one that is forgotten before is told to register again.
   */
  static final int MOST_WITHOUT_STORAGES = 1000;

  private final Clock clock;
  private final NodeVersion version;
  private final Map<String, Datanode> datanodes = new ConcurrentHashMap<>();
  private final Map<Integer, Storage> storages = new ConcurrentHashMap<>();
  private final DatanodeAddresses addresses = new DatanodeAddresses();

  /** Those that never named a storage, so that no block can refer to them. */
  private final Set<Datanode> withoutStorages = ConcurrentHashMap.newKeySet();

  /** Null where a DataNode came, went or moved since: the next use makes it. */
  private volatile @Nullable ClusterView view;

  KnownDatanodes(Clock clock, NodeVersion version) {
    this.clock = clock;
    this.version = version;
  }

  @Nullable Datanode datanode(String uuid) {
    return datanodes.get(uuid);
  }

  @Nullable Storage storage(int index) {
    return storages.get(index);
  }

  Collection<Datanode> datanodes() {
    return datanodes.values();
  }

  int storageCount() {
    return storages.size();
  }

  /**
   * Which DataNodes make room for a new one: those that it replaces, and those that have been
   * silent longest. None of them has a storage. Any client can register DataNodes with ids that it
   * makes up, and their number must have a bound.
   *
   * @param replaced DataNodes at the address of the new one
   */
  List<Datanode> makingRoom(List<Datanode> replaced) {
    // as they were heard at one moment: the order must not change while they are sorted
    List<Heard> unused = withoutStorages.stream().map(Heard::of).toList();
    int tooMany = unused.size() + 1 - MOST_WITHOUT_STORAGES;
    Stream<Datanode> silent =
        tooMany <= 0
            ? Stream.empty()
            : unused.stream()
                .sorted(Comparator.comparingLong(Heard::atMs))
                .limit(tooMany)
                .map(Heard::datanode);
    return Stream.concat(replaced.stream().filter(withoutStorages::contains), silent)
        .distinct()
        .toList();
  }

  private record Heard(Datanode datanode, long atMs) {
    static Heard of(Datanode datanode) {
      return new Heard(datanode, datanode.lastHeardMs());
    }
  }

  /** Those that a DataNode replaces when it registers at its address. */
  List<Datanode> othersAt(DatanodeID id) {
    return addresses.othersAt(id);
  }

  ClusterView view() {
    ClusterView known = view;
    return known == null ? makeView() : known;
  }

  private synchronized ClusterView makeView() {
    ClusterView known = view;
    if (known == null) {
      known = ClusterView.of(datanodes.values());
      view = known;
    }
    return known;
  }

  synchronized void drop(Datanode datanode) {
    datanodes.remove(datanode.uuid(), datanode);
    addresses.remove(datanode);
    withoutStorages.remove(datanode);
    view = null;
  }

  private void add(Datanode datanode) {
    datanodes.put(datanode.uuid(), datanode);
    addresses.add(datanode);
    withoutStorages.add(datanode);
    view = null;
  }

  /** Unless something happened to it meanwhile: then its row is there again, or soon. */
  synchronized void forget(Datanode datanode, long changesBefore) {
    if (datanode.changes() == changesBefore && datanode.storages().isEmpty()) {
      LOG.debug("DataNode forgotten that never named a storage datanode={}", datanode.id());
      drop(datanode);
    }
  }

  /** Shows what the row of a DataNode says. */
  synchronized Datanode show(DatanodeRows.Node node) {
    String uuid = node.id().getDatanodeUuid();
    Datanode known = datanodes.get(uuid);
    if (known == null) {
      known =
          new Datanode(
              node.id(), node.softwareVersion(), node.networkLocation(), clock.millis(), version);
      add(known);
    } else {
      Datanode moved = known;
      move(
          known,
          node.id(),
          node.networkLocation(),
          () -> moved.described(node.id(), node.softwareVersion(), node.networkLocation()));
    }
    known.adminState(node.adminState());
    known.replaced(node.isReplaced());
    return known;
  }

  /**
   * A DataNode has registered.
   *
   * @param isInDoubt whether its replicas are until it reports them
   */
  synchronized void registered(
      DatanodeID id, String softwareVersion, String networkLocation, boolean isInDoubt) {
    String uuid = id.getDatanodeUuid();
    for (Datanode other : addresses.othersAt(id)) {
      LOG.info("DataNode replaced at its address old={} new={}", other.id(), uuid);
      other.replaced(true);
    }
    Datanode known = datanodes.get(uuid);
    if (known == null) {
      Datanode first = new Datanode(id, softwareVersion, networkLocation, clock.millis(), version);
      first.came();
      add(first);
    } else {
      move(
          known,
          id,
          networkLocation,
          () -> known.registered(id, softwareVersion, networkLocation, isInDoubt, clock.millis()));
    }
    LOG.info("DataNode registered datanode={} rack={}", id, networkLocation);
  }

  /**
   * Changes a DataNode that may have another address or rack then. Most that register have those
   * that they had, and thousands register at a time.
   */
  private void move(Datanode known, DatanodeID id, String networkLocation, Runnable change) {
    boolean stays =
        known.networkLocation().equals(networkLocation)
            && known.id().getXferAddr().equals(id.getXferAddr());
    if (stays) {
      change.run();
      return;
    }
    addresses.remove(known);
    change.run();
    addresses.add(known);
    view = null;
  }

  /** Shows what a storage says of itself. */
  synchronized Storage show(int index, Datanode datanode, DatanodeStorage description) {
    Storage known = storages.get(index);
    if (known != null) {
      known.update(description);
      return known;
    }
    Storage storage = new Storage(index, datanode, description);
    storages.put(index, storage);
    datanode.add(storage);
    withoutStorages.remove(datanode);
    return storage;
  }
}
