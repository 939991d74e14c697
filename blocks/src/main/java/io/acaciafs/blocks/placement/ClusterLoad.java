package io.acaciafs.blocks.placement;

import io.acaciafs.blocks.datanode.ClusterView;
import io.acaciafs.blocks.datanode.Datanode;
import io.acaciafs.blocks.datanode.Liveness;
import io.acaciafs.blocks.datanode.NodeVersion;
import io.acaciafs.blocks.settings.BlockSettings;
import java.time.Clock;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Totals that placement needs: over all DataNodes in service, so counted at most once in a while.
 *
 * @param maxXceivers a node with more is overloaded
 * @param avoidsStale stale nodes are to be avoided as targets
 */
public record ClusterLoad(int liveNodes, int liveRacks, double maxXceivers, boolean avoidsStale) {

  boolean isOverloaded(Datanode node) {
    return node.xceivers() > maxXceivers;
  }

  static ClusterLoad of(ClusterView view, Liveness liveness, BlockSettings settings) {
    int live = 0;
    int stale = 0;
    long xceivers = 0;
    Set<String> racks = new HashSet<>();
    for (Datanode node : view.datanodes()) {
      Liveness.State state = liveness.of(node);
      if (state != Liveness.State.DEAD && node.isInService()) {
        live += state == Liveness.State.AWAITED ? 0 : 1;
        xceivers += node.xceivers();
        racks.add(node.networkLocation()); // of the awaited too: their replicas count
        stale += state == Liveness.State.STALE ? 1 : 0;
      }
    }
    double limit = live == 0 ? 0 : settings.placement().loadFactor() * xceivers / live;
    return new ClusterLoad(
        live,
        racks.size(),
        settings.placement().considersLoad() && limit > 0 ? limit : Double.MAX_VALUE,
        settings.placement().avoidsStale()
            && stale <= settings.placement().maxStaleRatio() * view.datanodes().size());
  }

  /** Keeps the last count for a moment. Safe for use by many threads. */
  public static final class Source {
    private static final long KEEP_MS = 500;

    private record Counted(ClusterView view, long version, long atMs, ClusterLoad load) {}

    private final Clock clock;
    private final Liveness liveness;
    private final BlockSettings settings;
    private final NodeVersion version;
    private volatile @Nullable Counted last;

    public Source(Clock clock, Liveness liveness, BlockSettings settings, NodeVersion version) {
      this.version = version;
      this.clock = clock;
      this.liveness = liveness;
      this.settings = settings;
    }

    public ClusterLoad of(ClusterView view) {
      Counted counted = last;
      long nowMs = clock.millis();
      long present = version.get();
      if (counted == null
          || counted.view() != view
          || counted.version() != present
          || nowMs - counted.atMs() >= KEEP_MS) {
        counted = new Counted(view, present, nowMs, ClusterLoad.of(view, liveness, settings));
        last = counted;
      }
      return counted.load();
    }
  }
}
