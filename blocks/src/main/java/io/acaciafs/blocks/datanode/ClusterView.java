package io.acaciafs.blocks.datanode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All known DataNodes by rack and by address, as they were at one moment. Immutable; made anew at
 * the first use behind a change.
 */
public record ClusterView(
    List<Datanode> datanodes,
    Map<String, List<Datanode>> byRack,
    Map<String, List<Datanode>> byIpAddress) {

  public static ClusterView of(Collection<Datanode> all) {
    List<Datanode> sorted =
        all.stream().sorted((one, other) -> one.uuid().compareTo(other.uuid())).toList();
    return new ClusterView(
        sorted,
        sorted.stream()
            .collect(
                Collectors.groupingBy(
                    Datanode::networkLocation, TreeMap::new, Collectors.toList())),
        sorted.stream().collect(Collectors.groupingBy(node -> node.id().getIpAddr())));
  }

  public List<Datanode> onRack(String rack) {
    return byRack.getOrDefault(rack, List.of());
  }

  public List<Datanode> atAddress(@Nullable String ipAddress) {
    return ipAddress == null ? List.of() : byIpAddress.getOrDefault(ipAddress, List.of());
  }
}
