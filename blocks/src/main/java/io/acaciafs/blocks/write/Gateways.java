package io.acaciafs.blocks.write;

import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.placement.FavoredNodes;
import io.acaciafs.blocks.placement.TargetChooser;
import io.acaciafs.blocks.record.BlockRequest;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.Block;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;

/**
 * Finds the DataNode through which a client reads or writes that does not speak its protocol
 * (WebHDFS). Reads memory only, but may ask the name service for names that no DataNode has. Safe
 * for use by many threads.
 */
public final class Gateways {
  private static final byte DEFAULT_POLICY = 0;

  private final DatanodeRegistry registry;
  private final TargetChooser chooser;
  private final Liveness liveness;
  private final RandomGenerator random;

  public Gateways(
      DatanodeRegistry registry, TargetChooser chooser, Liveness liveness, RandomGenerator random) {
    this.registry = registry;
    this.chooser = chooser;
    this.liveness = liveness;
    this.random = random;
  }

  /**
   * The uuids of DataNodes by the names that clients give them; names of none are passed over.
   *
   * @param names {@code host} or {@code host:port} of the data transfer
   */
  public Set<String> uuidsOf(Collection<String> names) {
    return FavoredNodes.find(registry.view(), List.copyOf(names)).stream()
        .map(Datanode::uuid)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * Where the first replica of a new block would go; where there is no place for one, any DataNode
   * that is alive.
   *
   * @param clientHost IP address of the writer; null where it is not known
   * @return null where there is none
   */
  public @Nullable DatanodeInfo choose(
      String path, @Nullable String clientHost, Set<String> excludedUuids, long blockSizeBytes) {
    BlockRequest request =
        new BlockRequest(
            new BlockRequest.File(path, 0, (short) 1, blockSizeBytes, DEFAULT_POLICY),
            new Block(),
            0,
            clientHost,
            new BlockRequest.Wishes(excludedUuids, List.of(), EnumSet.noneOf(AddBlockFlag.class)));
    List<Storage> targets = chooser.choose(request);
    return targets.isEmpty() ? anyAlive(excludedUuids) : targets.get(0).datanode().info();
  }

  private @Nullable DatanodeInfo anyAlive(Set<String> excludedUuids) {
    List<Datanode> alive =
        registry.view().datanodes().stream()
            .filter(node -> !liveness.isDead(node) && !excludedUuids.contains(node.uuid()))
            .toList();
    return alive.isEmpty() ? null : alive.get(random.nextInt(alive.size())).info();
  }
}
