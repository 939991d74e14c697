package io.acaciafs.namenode.monitor.problems;

import io.acaciafs.kv.engine.StoreCluster;
import io.acaciafs.namenode.monitor.cluster.ClusterLook;
import io.acaciafs.namenode.monitor.cluster.ClusterLook.Known;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.apache.hadoop.util.VersionUtil;

/** Whether the cluster that keeps the store is complete. */
public final class ClusterChecks implements ProblemCheck {
  /** A region that is moved is on its way for a second. */
  static final long USUAL_TRANSITION_MS = 10_000;

  private static final int MOST_NAMED = 5;

  /** In place of the name of a region. */
  private static final String CLOSED = "";

  private final Supplier<Known<StoreCluster.State>> state;
  private final Supplier<Known<Optional<StoreCluster.Coprocessor>>> coprocessor;
  private final Clock elapsed;

  /** By region, when it was seen first of those times that it was not online since. */
  private final Map<String, Long> offlineSinceMs = new HashMap<>();

  /**
   * @param elapsed never goes back
   */
  public ClusterChecks(ClusterLook look, Clock elapsed) {
    this(look::state, look::coprocessor, elapsed);
  }

  ClusterChecks(
      Supplier<Known<StoreCluster.State>> state,
      Supplier<Known<Optional<StoreCluster.Coprocessor>>> coprocessor,
      Clock elapsed) {
    this.state = state;
    this.coprocessor = coprocessor;
    this.elapsed = elapsed;
  }

  @Override
  public void look(Consumer<Problem> found) {
    Known<StoreCluster.State> known = state.get();
    StoreCluster.State now = known.value();
    if (now != null) {
      look(now, found);
    } else if (!known.failure().isEmpty()) {
      found.accept(new Problem(ProblemKind.NO_MASTER, known.failure()));
    }
    Optional<StoreCluster.Coprocessor> ofRegions = coprocessor.get().value();
    if (ofRegions != null) {
      ofRegions.ifPresent(each -> look(each, found));
    }
  }

  private void look(StoreCluster.State now, Consumer<Problem> found) {
    if (!now.dead().isEmpty()) {
      found.accept(new Problem(ProblemKind.DEAD_REGION_SERVERS, few(now.dead())));
    }
    List<String> offline = new ArrayList<>();
    Set<String> seen = new HashSet<>();
    for (StoreCluster.Transition each : now.transitions()) {
      seen.add(each.region());
      if (isLong(each.region())) {
        offline.add(each.region() + " is " + each.state());
      }
    }
    int closed = now.regions() - now.online() - now.transitions().size();
    if (closed > 0) {
      seen.add(CLOSED);
      if (isLong(CLOSED)) {
        offline.add(closed + " are closed, and nobody opens them");
      }
    }
    offlineSinceMs.keySet().retainAll(seen);
    if (!offline.isEmpty()) {
      found.accept(
          new Problem(
              ProblemKind.REGIONS_OFFLINE,
              now.online() + " of " + now.regions() + " regions are online: " + few(offline)));
    }
  }

  private boolean isLong(String region) {
    long nowMs = elapsed.millis();
    return nowMs - offlineSinceMs.computeIfAbsent(region, any -> nowMs) >= USUAL_TRANSITION_MS;
  }

  private static void look(StoreCluster.Coprocessor coprocessor, Consumer<Problem> found) {
    List<String> missing = coprocessor.missing();
    if (!missing.isEmpty()) {
      found.accept(
          new Problem(
              ProblemKind.COPROCESSOR_MISSING,
              missing.size() + " regions are without it: " + few(missing)));
    }
    List<String> older = new ArrayList<>();
    coprocessor
        .versions()
        .forEach(
            (version, regions) -> {
              if (version.isEmpty()
                  || VersionUtil.compareVersions(version, coprocessor.own()) < 0) {
                older.add(
                    regions
                        + " regions have "
                        + (version.isEmpty() ? "one that does not tell its version" : version));
              }
            });
    if (!older.isEmpty()) {
      older.sort(null);
      found.accept(
          new Problem(
              ProblemKind.COPROCESSOR_OLD,
              few(older) + ", and this NameNode is of version " + coprocessor.own()));
    }
  }

  private static String few(List<String> names) {
    String shown = String.join(", ", names.subList(0, Math.min(MOST_NAMED, names.size())));
    return names.size() > MOST_NAMED
        ? shown + " and " + (names.size() - MOST_NAMED) + " more"
        : shown;
  }
}
