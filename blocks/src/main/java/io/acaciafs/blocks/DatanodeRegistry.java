package io.acaciafs.blocks;

import io.acaciafs.blocks.proto.StorageRow;
import io.acaciafs.kv.Reader;
import io.acaciafs.kv.Row;
import io.acaciafs.kv.Scan;
import io.acaciafs.kv.TransactionRunner;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All DataNodes and storages: what the store knows, in memory. A DataNode or storage is written
 * before memory shows it, so an index that anybody may meet in a row is known here, or was given
 * out by a transaction whose end is on the way.
 *
 * <p>Safe for use by many threads.
 */
final class DatanodeRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(DatanodeRegistry.class);

  private final TransactionRunner runner;
  private final Clock clock;
  private final Map<String, Datanode> datanodes = new ConcurrentHashMap<>();
  private final Map<Integer, Storage> storages = new ConcurrentHashMap<>();
  private volatile ClusterView view = ClusterView.EMPTY;

  /** Reads all rows of DataNodes and storages, which are thousands. */
  DatanodeRegistry(TransactionRunner runner, Clock clock) {
    this.runner = runner;
    this.clock = clock;
    load(runner.store());
  }

  /** Null where no such DataNode ever registered. */
  Datanode datanode(String uuid) {
    return datanodes.get(uuid);
  }

  /** Null where no such index was given out. */
  Storage storage(int index) {
    return storages.get(index);
  }

  /**
   * Indexes of storages that clients and DataNodes name; what is not known among them is passed
   * over.
   *
   * @param storageIds one for each node
   */
  List<Integer> storages(List<? extends DatanodeID> nodes, List<String> storageIds) {
    List<Integer> indexes = new ArrayList<>();
    for (int i = 0; i < Math.min(nodes.size(), storageIds.size()); i++) {
      Datanode datanode = datanodes.get(nodes.get(i).getDatanodeUuid());
      Storage storage = datanode == null ? null : datanode.storage(storageIds.get(i));
      if (storage != null) {
        indexes.add(storage.index());
      }
    }
    return indexes;
  }

  ClusterView view() {
    return view;
  }

  boolean sameNode(int storage, int otherStorage) {
    if (storage == otherStorage) {
      return true;
    }
    Storage one = storage(storage);
    Storage other = storage(otherStorage);
    return one != null && other != null && one.datanode() == other.datanode();
  }

  /** Stores an address; completes when it is durable and shown. */
  CompletableFuture<Void> register(DatanodeID id, String softwareVersion, String networkLocation) {
    return runner
        .<Void>submit(
            tx -> {
              DatanodeRows.register(tx, id, softwareVersion, networkLocation);
              Datanode known = datanode(id.getDatanodeUuid());
              if (known != null) {
                for (Storage storage : known.storages()) {
                  DatanodeRows.setStanding(tx, storage, storage.isLost(), false);
                }
              }
              return null;
            })
        .thenRun(() -> show(id, softwareVersion, networkLocation));
  }

  /**
   * Makes sure that storages have an index and that their rows say what they are.
   *
   * @return completes, often at once, when all of them are durable and shown
   */
  CompletableFuture<Void> describe(Datanode datanode, Collection<DatanodeStorage> described) {
    List<DatanodeStorage> changed =
        described.stream().filter(storage -> isNews(datanode, storage)).toList();
    if (changed.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    return runner
        .<Map<Integer, DatanodeStorage>>submit(
            tx -> {
              Map<Integer, DatanodeStorage> byIndex = new TreeMap<>();
              int first = DatanodeRows.lastIndex(tx);
              int last = first;
              for (DatanodeStorage storage : changed) {
                int index = DatanodeRows.describe(tx, datanode.uuid(), storage, last);
                byIndex.put(index, storage);
                last = Math.max(last, index);
              }
              if (last > first) {
                DatanodeRows.putLastIndex(tx, last);
              }
              return byIndex;
            })
        .thenAccept(byIndex -> byIndex.forEach((index, storage) -> show(index, datanode, storage)));
  }

  private static boolean isNews(Datanode datanode, DatanodeStorage described) {
    Storage storage = datanode.storage(described.getStorageID());
    return storage == null
        || storage.description().getStorageType() != described.getStorageType()
        || storage.description().getState() != described.getState();
  }

  private void load(Reader reader) {
    try (Scan scan = reader.scan(BlockKeys.datanodes())) {
      while (scan.hasNext()) {
        Row row = scan.next();
        String uuid = BlockKeys.datanodeUuidIn(row.key());
        DatanodeRows.Node node = DatanodeRows.node(uuid, row.value());
        Datanode datanode =
            new Datanode(node.id(), node.softwareVersion(), node.networkLocation(), clock.millis());
        datanode.adminState(node.adminState());
        datanodes.put(uuid, datanode);
      }
    }
    try (Scan scan = reader.scan(BlockKeys.storages())) {
      while (scan.hasNext()) {
        Row row = scan.next();
        StorageRow stored = DatanodeRows.storage(row.value());
        Datanode datanode = datanodes.get(BlockKeys.datanodeUuidInStorage(row.key()));
        if (datanode != null) {
          show(
              stored.getIndex(),
              datanode,
              new DatanodeStorage(
                  BlockKeys.storageUuidIn(row.key()),
                  StorageTypes.state(stored.getState()),
                  StorageTypes.type(stored.getType())));
          storage(stored.getIndex()).lost(stored.getLost());
          storage(stored.getIndex()).verified(!stored.getUnverified());
        }
      }
    }
    view = ClusterView.of(datanodes.values());
    LOG.info("DataNodes loaded datanodes={} storages={}", datanodes.size(), storages.size());
  }

  private synchronized void show(DatanodeID id, String softwareVersion, String networkLocation) {
    String uuid = id.getDatanodeUuid();
    for (Datanode other : view.atAddress(id.getIpAddr())) {
      if (!other.uuid().equals(uuid) && other.id().getXferPort() == id.getXferPort()) {
        LOG.info("DataNode replaced at its address old={} new={}", other.id(), uuid);
        other.gone();
      }
    }
    Datanode known = datanodes.get(uuid);
    if (known == null) {
      datanodes.put(uuid, new Datanode(id, softwareVersion, networkLocation, clock.millis()));
    } else {
      known.registered(id, softwareVersion, networkLocation, clock.millis());
    }
    view = ClusterView.of(datanodes.values());
    LOG.info("DataNode registered datanode={} rack={}", id, networkLocation);
  }

  private synchronized void show(int index, Datanode datanode, DatanodeStorage description) {
    Storage known = storages.get(index);
    if (known != null) {
      known.update(description);
      return;
    }
    Storage storage = new Storage(index, datanode, description);
    storages.put(index, storage);
    datanode.add(storage);
  }
}
