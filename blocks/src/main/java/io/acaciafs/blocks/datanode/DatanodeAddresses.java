package io.acaciafs.blocks.datanode;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hdfs.protocol.DatanodeID;

/** Which DataNodes have an address, where they take blocks. Safe for use by many threads. */
final class DatanodeAddresses {
  private final Map<String, Set<Datanode>> byAddress = new ConcurrentHashMap<>();

  void add(Datanode datanode) {
    byAddress.compute(
        datanode.id().getXferAddr(),
        (address, there) -> {
          Set<Datanode> all = there == null ? new HashSet<>() : new HashSet<>(there);
          all.add(datanode);
          return all;
        });
  }

  /** Before its address changes. */
  void remove(Datanode datanode) {
    byAddress.computeIfPresent(
        datanode.id().getXferAddr(),
        (address, there) -> {
          Set<Datanode> others = new HashSet<>(there);
          others.remove(datanode);
          return others.isEmpty() ? null : others;
        });
  }

  /** As in HDFS: a new DataNode replaces the earlier one at its address. */
  List<Datanode> othersAt(DatanodeID id) {
    return byAddress.getOrDefault(id.getXferAddr(), Set.of()).stream()
        .filter(other -> !other.uuid().equals(id.getDatanodeUuid()) && !other.isReplaced())
        .toList();
  }
}
