package io.acaciafs.namenode.fsck;

import io.acaciafs.blocks.record.BlockReplicas;
import io.acaciafs.blocks.record.BlockReplicas.Replica;
import io.acaciafs.blocks.record.BlockReplicas.State;
import java.util.stream.Collectors;
import org.apache.hadoop.net.NodeBase;

/** What a report of files says of a block's replicas. Immutable. */
record ReplicaText(FsckOptions options) {
  private static final String NO_UPGRADE_DOMAIN = "undefined";

  /**
   * @return with a blank in front; empty where the request does not ask for it
   */
  String of(BlockReplicas block) {
    return options.showsAnyReplica()
        ? block.replicas().stream().map(this::of).collect(Collectors.joining(", ", "  [", "]"))
        : "";
  }

  private String of(Replica replica) {
    StringBuilder text =
        new StringBuilder(
            options.has(FsckOptions.Flag.RACKS)
                ? NodeBase.getPath(replica.place())
                : replica.place().toString());
    if (options.has(FsckOptions.Flag.UPGRADE_DOMAINS)) {
      String domain = replica.place().getUpgradeDomain();
      text.append("(ud=").append(domain == null ? NO_UPGRADE_DOMAIN : domain).append(')');
    }
    if (options.has(FsckOptions.Flag.REPLICAS)) {
      text.append('(').append(detail(replica)).append(')');
    }
    return text.toString();
  }

  private String detail(Replica replica) {
    State state = replica.state();
    boolean isTold =
        options.has(FsckOptions.Flag.MAINTENANCE)
            || state != State.ENTERING_MAINTENANCE && state != State.IN_MAINTENANCE;
    if (state != State.LIVE && isTold) {
      return state.name().replace('_', ' ');
    }
    if (replica.isNodeStale()) {
      return "STALE_NODE";
    }
    return replica.isUnverified() ? "STALE_BLOCK_CONTENT" : "LIVE";
  }
}
