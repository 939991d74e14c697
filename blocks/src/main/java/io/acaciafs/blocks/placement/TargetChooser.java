package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.ClusterView;
import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.DatanodeRegistry;
import io.acaciafs.blocks.datanode.DatanodeServices;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.Storage;
import io.acaciafs.blocks.record.BlockRecord;
import io.acaciafs.blocks.record.BlockRequest;
import io.acaciafs.blocks.settings.BlockContext;
import io.acaciafs.blocks.settings.BlockSettings;
import io.acaciafs.kv.value.Saturated;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.jspecify.annotations.Nullable;

/** Finds what {@link BlockPlacement} needs to know of a request. Safe for use by many threads. */
public final class TargetChooser {
  private final DatanodeRegistry registry;
  private final RackResolver racks;
  private final Liveness liveness;
  private final ClusterLoad.Source loads;
  private final StoragePolicyRules policies;
  private final RandomGenerator random;
  private final long startedMs;
  private final Clock clock;
  private final long firstHeartbeatMs;
  private final boolean prefersLocalNode;
  private volatile int minBlocksForWrite;
  private final PlacementPolicy spread;

  public TargetChooser(
      BlockContext context,
      DatanodeServices datanodes,
      RackResolver racks,
      ClusterLoad.Source loads,
      StoragePolicyRules policies,
      PlacementPolicy spread) {
    this.registry = datanodes.registry();
    this.racks = racks;
    this.liveness = datanodes.liveness();
    this.clock = context.clock();
    this.random = context.random();
    this.loads = loads;
    this.policies = policies;
    this.startedMs = clock.millis();
    this.firstHeartbeatMs = context.settings().placement().firstHeartbeatMs();
    this.prefersLocalNode = context.settings().placement().prefersLocalNode();
    this.minBlocksForWrite = context.settings().placement().minBlocks();
    this.spread = spread;
  }

  /** From now on these hold. */
  public void configure(BlockSettings settings) {
    minBlocksForWrite = settings.placement().minBlocks();
  }

  /**
   * Targets for copies of a block that has replicas.
   *
   * @param existing the replicas that count
   * @param excludedDatanodeUuids nodes that have, or are to get, any replica of it
   */
  public List<Storage> chooseCopies(
      int copies,
      Datanode source,
      List<Storage> existing,
      Set<String> excludedDatanodeUuids,
      BlockRecord block) {
    ClusterView view = registry.view();
    BlockPlacement.Request asked =
        new BlockPlacement.Request(
            existing.size() + copies,
            new BlockPlacement.Writer(source, source.networkLocation(), false, false),
            excludedDatanodeUuids,
            List.of(),
            Saturated.multiply(block.numBytes(), minBlocksForWrite),
            existing,
            policies.policyOf(block));
    return new BlockPlacement(spread, asked, view, loads.of(view), liveness, random).choose();
  }

  /** At most as many as asked for, in the order of the pipeline. */
  public List<Storage> choose(BlockRequest request) {
    return choose(request, List.of());
  }

  /**
   * Further ones.
   *
   * @param existing storages that the block has already, on nodes that the request excludes
   */
  public List<Storage> choose(BlockRequest request, List<Storage> existing) {
    ClusterView view = registry.view();
    boolean ignoresWriter = request.wishes().flags().contains(AddBlockFlag.IGNORE_CLIENT_LOCALITY);
    Datanode writer = ignoresWriter ? null : writer(view, request.clientHost());
    BlockPlacement.Request asked =
        new BlockPlacement.Request(
            existing.size() + request.file().replication(),
            new BlockPlacement.Writer(
                prefersLocalNode ? writer : null,
                ignoresWriter ? null : writerRack(writer, request.clientHost()),
                request.wishes().flags().contains(AddBlockFlag.NO_LOCAL_WRITE),
                request.wishes().flags().contains(AddBlockFlag.NO_LOCAL_RACK)),
            request.wishes().excludedDatanodeUuids(),
            FavoredNodes.find(view, request.wishes().favoredNodes()),
            Saturated.multiply(request.file().blockSizeBytes(), minBlocksForWrite),
            existing,
            policies.policy(request.file().storagePolicyId()));
    return new BlockPlacement(spread, asked, view, loads.of(view), liveness, random).choose();
  }

  public int runningNodes() {
    return (int) registry.view().datanodes().stream().filter(liveness::isAlive).count();
  }

  /** Just started: DataNodes are known from the store whose first heartbeat is on its way. */
  public boolean awaitsFirstHeartbeats() {
    return clock.millis() - startedMs < firstHeartbeatMs
        && registry.view().datanodes().stream()
            .anyMatch(node -> !node.hasHeartbeat() && !node.isForgotten());
  }

  /** Several DataNodes on one host are as good as each other. */
  private @Nullable Datanode writer(ClusterView view, @Nullable String clientHost) {
    List<Datanode> local = view.atAddress(clientHost).stream().filter(liveness::isAlive).toList();
    return local.size() <= 1
        ? local.stream().findFirst().orElse(null)
        : local.get(random.nextInt(local.size()));
  }

  private @Nullable String writerRack(@Nullable Datanode writer, @Nullable String clientHost) {
    if (writer != null) {
      return writer.networkLocation();
    }
    return clientHost == null ? null : racks.rackOfClient(clientHost);
  }
}
